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
    respond: (picture) =>
      new Response(picture, {
        headers: {
          'content-type': 'image/webp',
          // A picture's URL contains its version, so the response never changes.
          'cache-control': 'private, max-age=31536000, immutable',
        },
      }),
    handle: ({ params }) => readPicture(params.id),
  }),
});
