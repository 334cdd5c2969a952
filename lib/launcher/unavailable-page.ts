import { createHash } from 'node:crypto';

/**
 * Reloads the page once Atelier responds. `meta refresh` would reload it every few seconds instead. If a reload came
 * while no server was listening on the port, the browser would show its own error page.
 */
const script = `
const check = async () => {
  const response = await fetch('/api/health', { cache: 'no-store' }).catch(() => undefined);
  if (response?.ok) location.reload();
  else setTimeout(check, 1000);
};
setTimeout(check, 1000);`;

const style = `
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 1.5rem; box-sizing: border-box;
  font: 1rem/1.55 system-ui, sans-serif; color-scheme: light dark; color: light-dark(#1f1d1a, #eceae6);
  background: light-dark(#fff, #1f1d1a); }
main { max-width: 32rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 .5rem; }
p { margin: 0; color: light-dark(#5c5850, #b5b0a6); }`;

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows only the page's own script and style, `data:` images, and requests to this server. */
export const unavailablePolicy = [
  "default-src 'none'",
  `script-src ${sha256(script)}`,
  `style-src ${sha256(style)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Returns the page that browsers show until Atelier responds. `title` and `detail` are not escaped, so they must not
 * contain markup.
 */
export function unavailablePage({ title, detail }: { title: string; detail: string }): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Atelier</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<main>
<h1>${title}</h1>
<p role="status">${detail} This page opens by itself when it is ready.</p>
<noscript><p>Without JavaScript, reload the page after a while.</p></noscript>
</main>
<script>${script}</script>
</html>
`;
}
