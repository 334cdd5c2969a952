import { methods, route } from '@/lib/http/route';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';

const params = z.strictObject({
  /** The version of PDF.js. It makes the URLs of an upgraded PDF.js new, so browsers can cache the files forever. */
  version: z.string().max(20),
  folder: z.enum(['cmaps', 'standard_fonts', 'wasm']),
  file: z.string().regex(/^[\w-]{1,60}\.(bcmap|pfb|ttf|wasm)$/),
});

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'public',
    summary:
      'Returns a file that PDF.js needs to show some PDFs: a CMap, a standard font or an image decoder.',
    docs: { codes: ['not_found'], media: 'application/octet-stream', file: true },
    params,
    status: 200,
    response: z.instanceof(Blob),
    respond: (file) =>
      new Response(file, {
        headers: {
          'content-type': 'application/octet-stream',
          'cache-control': 'public, max-age=31536000, immutable',
        },
      }),
    handle: async ({ params: { folder, file } }) => {
      const root = join(/* turbopackIgnore: true */ process.cwd(), 'node_modules/pdfjs-dist');
      try {
        return new Blob([await readFile(join(root, folder, file))]);
      } catch (error) {
        const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
        throw isMissing ? new HttpError('not_found') : error;
      }
    },
  }),
});
