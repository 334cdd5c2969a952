import { methods, route } from '@/lib/http/route';
import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { readFontFiles, removeFont } from '@/lib/fonts/project-fonts';
import { fontParams } from '@/lib/fonts/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Returns the file of a font that a project uploaded.',
    docs: { media: 'font/sfnt', file: true },
    params: fontParams,
    status: 200,
    response: z.instanceof(Blob),
    // A font's file never changes.
    respond: (file) =>
      new Response(file, {
        headers: {
          'content-type': 'font/sfnt',
          'content-disposition': 'attachment',
          'cache-control': 'private, max-age=86400, immutable',
          'x-content-type-options': 'nosniff',
        },
      }),
    handle: async ({ projectId, params: { fontId } }) => {
      const file = (await readFontFiles(projectId, [fontId])).get(fontId);
      if (!file) throw new HttpError('not_found');
      return new Blob([file]);
    },
  }),
  DELETE: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Removes a font from a project. Text that uses it is then set in the standard font.',
    params: fontParams,
    status: 204,
    handle: ({ projectId, params }) => removeFont(projectId, params.fontId),
  }),
});
