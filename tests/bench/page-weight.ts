import { request } from 'node:http';
import { apiAt } from '@/tests/app/support/api';
import { signIn, signInWithCookies } from '@/tests/app/support/people';
import { makeProject } from '@/tests/app/support/team';
import { withAtelier } from '@/tests/bench/atelier';
import type { BenchRow } from '@/tests/bench/row';

const BAR_KB = 300;
/** Maximum compressed size of the document editor's scripts and styles, in KiB. */
const EDITOR_BAR_KB = 500;

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
 * Returns the total compressed size, in KiB, of the files with these endings that a page's HTML refers to. The page
 * needs them before it can be used.
 */
async function filesKb(
  origin: string,
  path: string,
  headers: Record<string, string>,
  endings = 'js',
): Promise<number> {
  const body = await get(`${origin}${path}`, headers);
  // Leave out the script with `noModule`, which only old browsers load.
  const html = body.toString('utf8').replace(/<script[^>]*nomodule[^>]*>/gi, '');
  const files = new Set(
    html.match(new RegExp(`/_next/static/chunks/[^"\\\\?]+\\.(${endings})(?=["\\\\?])`, 'g')),
  );
  let bytes = 0;
  for (const file of files) {
    bytes += (await get(`${origin}${file}`, { 'accept-encoding': 'gzip' })).length;
  }
  return bytes / 1024;
}

/**
 * Measures the JavaScript that some pages load at first and, for the document editor, also the styles. Files that are
 * loaded on demand do not count.
 */
export const pageWeight: BenchRow = {
  name: 'page-weight',
  run: () =>
    withAtelier(async ({ url, env }) => {
      const member = await signIn(env, 'member@atelier.test');
      const projectId = await makeProject(apiAt(url, member.headers), 'Bench');
      const [asMember, asAdmin] = await Promise.all(
        ['member@atelier.test', 'admin@atelier.test'].map((email) => signInWithCookies(env, email)),
      );
      const pages: [string, string, Record<string, string>][] = [
        ['sign-in', '/sign-in', {}],
        ['specs', '/admin/specs', { ...asAdmin }],
        ['projects', '/projects', { ...asMember }],
        ['studio', `/projects/${projectId}/studio`, { ...asMember }],
      ];
      const sizes: [string, number][] = [];
      for (const [name, path, headers] of pages) sizes.push([name, await filesKb(url, path, headers)]);
      const editor = await filesKb(url, `/projects/${projectId}/document`, { ...asMember }, 'js|css');
      return {
        measured: [...sizes, ['editor', editor] as const]
          .map(([name, kb]) => `${name} ${kb.toFixed(0)}`)
          .join(', '),
        bar: `<= ${BAR_KB} KB, editor <= ${EDITOR_BAR_KB} KB`,
        holds: sizes.every(([, kb]) => kb <= BAR_KB) && editor <= EDITOR_BAR_KB,
      };
    }),
};
