import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

// Preloaded with `node --import` to run Atelier's TypeScript outside of Next. Node strips the types itself. This module
// adds what Node lacks: the `@/` alias, imports without an extension, and JSX. A general loader such as tsx also
// transforms every package, and does so on a separate thread. Starting the embedded backend takes 1.6 s of CPU time
// with tsx and 0.5 s with this module.

if (!module.registerHooks || !process.features.typescript) {
  process.stderr.write(
    `Atelier needs Node 22.18 or newer, but this is ${process.version}. Start it with "npm start".\n`,
  );
  process.exit(1);
}

const root = new URL('../../', import.meta.url);
const hasExtension = /\.(ts|tsx|js|mjs|cjs|json)$/;

/**
 * Returns the URL of an import specifier in Atelier's code, with an extension only if the specifier has one. Returns
 * undefined for packages and built-in modules.
 * @param {string} specifier
 * @param {string | undefined} parent
 */
function sourceUrl(specifier, parent) {
  if (specifier.startsWith('@/')) return new URL(specifier.slice(2), root);
  const isRelative = specifier.startsWith('./') || specifier.startsWith('../');
  return isRelative && parent && !parent.includes('/node_modules/') ? new URL(specifier, parent) : undefined;
}

module.registerHooks({
  resolve(specifier, context, next) {
    const url = sourceUrl(specifier, context.parentURL);
    if (!url || hasExtension.test(url.pathname)) return next(url?.href ?? specifier, context);
    const typescript = `${url.href}.ts`;
    return next(existsSync(fileURLToPath(typescript)) ? typescript : `${url.href}.tsx`, context);
  },
  load(url, context, next) {
    if (!url.endsWith('.tsx')) return next(url, context);
    const source = readFileSync(fileURLToPath(url), 'utf8');
    const { code } = transformSync(source, {
      loader: 'tsx',
      jsx: 'automatic',
      sourcefile: url,
      sourcemap: 'inline',
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});

module.enableCompileCache(fileURLToPath(new URL('node_modules/.cache/atelier/compiled', root)));
