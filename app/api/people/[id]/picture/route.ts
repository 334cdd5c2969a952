import { methods, route } from '@/lib/http/route';
import { readPicture } from '@/lib/people/profile';
import { pictureFile, pictureParams, pictureQuery } from '@/lib/people/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    summary: "Returns a person's picture.",
    docs: { codes: ['not_found'], media: 'image/webp', file: true },
    params: pictureParams,
    query: pictureQuery,
    status: 200,
    response: pictureFile,
    respond: ({ file, isOfVersion }) =>
      new Response(file, {
        headers: {
          'content-type': 'image/webp',
          // If the URL contains the version of this picture, the response never changes.
          'cache-control': isOfVersion ? 'private, max-age=31536000, immutable' : 'private, no-store',
        },
      }),
    handle: async ({ params, query }) => {
      const { file, version } = await readPicture(params.id);
      return { file, isOfVersion: query.v === version };
    },
  }),
});
