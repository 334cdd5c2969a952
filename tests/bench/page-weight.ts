import { request } from 'node:http';
import { apiAt } from '@/tests/app/support/api';
import { signIn, signInWithCookies } from '@/tests/app/support/people';
import { makeProject } from '@/tests/app/support/team';
import { withAtelier } from '@/tests/bench/atelier';
import type { BenchRow } from '@/tests/bench/row';

const BAR_KB = 300;
/** The bars, in KiB, of the pages to which `BAR_KB` does not apply. */
const otherBarsKb: Record<string, number> = { 'sign-in': 150, editor: 450 };

/** Returns the body of a response without decompressing it. */
function get(url: string, headers: Record<string, string>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        if (response.statusCode === 200) resolve(body);
        else reject(new Error(`${url} returned ${response.statusCode}`));
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

/**
 * Returns the total compressed size, in KiB, of the scripts that a page's HTML refers to. The page needs them before it
 * can be used.
 */
async function scriptsKb(origin: string, path: string, headers: Record<string, string>): Promise<number> {
  const body = await get(`${origin}${path}`, headers);
  // Leave out the script with `noModule`, which only old browsers load.
  const html = body.toString('utf8').replace(/<script[^>]*nomodule[^>]*>/gi, '');
  const files = new Set(html.match(/\/_next\/static\/chunks\/[^"\\?]+\.js(?=["\\?])/g));
  let bytes = 0;
  for (const file of files) {
    bytes += (await get(`${origin}${file}`, { 'accept-encoding': 'gzip' })).length;
  }
  return bytes / 1024;
}

/** Measures the compressed JavaScript that each page loads initially. Files that are loaded on demand do not count. */
export const pageWeight: BenchRow = {
  name: 'page-weight',
  run: () =>
    withAtelier(async ({ url, env }) => {
      const member = await signIn(env, 'member@atelier.test');
      const projectId = await makeProject(apiAt(url, member.headers), 'Bench');
      const asMember = { ...(await signInWithCookies(env, 'member@atelier.test')) };
      const asAdmin = { ...(await signInWithCookies(env, 'admin@atelier.test')) };
      const pages: [string, string, Record<string, string>][] = [
        ['sign-in', '/sign-in', {}],
        ['forgot password', '/forgot-password', {}],
        ['new password', '/set-password', {}],
        ['projects', '/projects', asMember],
        ['studio', `/projects/${projectId}/studio`, asMember],
        ['gallery', `/projects/${projectId}/gallery`, asMember],
        ['editor', `/projects/${projectId}/document`, asMember],
        ['materials', '/materials', asMember],
        ['account', '/account', asMember],
        ['tokens', '/tokens', asMember],
        ['docs', '/docs', asMember],
        ['specs', '/admin/specs', asAdmin],
        ['brands', '/admin/catalogue', asAdmin],
        ['workflow', '/admin/workflow', asAdmin],
        ['people', '/admin/people', asAdmin],
        ['activity', '/admin/people/activity', asAdmin],
      ];
      const sizes: [string, number][] = [];
      for (const [name, path, headers] of pages) sizes.push([name, await scriptsKb(url, path, headers)]);
      const others = Object.entries(otherBarsKb).map(([name, kb]) => `${name} <= ${kb}`);
      return {
        measured: sizes.map(([name, kb]) => `${name} ${kb.toFixed(0)}`).join(', '),
        bar: `<= ${BAR_KB} KB, ${others.join(', ')}`,
        holds: sizes.every(([name, kb]) => kb <= (otherBarsKb[name] ?? BAR_KB)),
      };
    }),
};
