import { methods, route } from '@/lib/http/route';
import { z } from 'zod';
import { imageView } from '@/lib/export/image-view';
import {
  documentImagesBody,
  documentImagesResponse,
  documentParams,
  imageViewQuery,
} from '@/lib/export/schema';
import { findImages } from '@/lib/export/snapshot';
import { viewImages } from '@/lib/export/view-images';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: "Returns an image of a project's pages for the screen, in sRGB, by the key that the pages use.",
    docs: { codes: ['not_found', 'unavailable'], media: 'image/webp', file: true },
    params: documentParams,
    query: imageViewQuery,
    status: 200,
    response: z.instanceof(Blob),
    respond: (image) =>
      new Response(image, {
        headers: {
          'content-type': 'image/webp',
          // A stored image never changes, but it can be deleted, so browsers keep their copy for only a day.
          'cache-control': 'private, max-age=86400, immutable',
        },
      }),
    handle: ({ projectId, query, caller: { userId }, request: { signal } }) =>
      imageView({ projectId, ...query, userId, signal }),
  }),
  // This is a POST although it only reads, because a thousand keys do not fit in a URL.
  POST: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: "Returns URLs and sizes of a project's images, by the keys that its pages use.",
    params: documentParams,
    body: documentImagesBody,
    maxBytes: 1024 * 1024,
    status: 200,
    response: documentImagesResponse,
    handle: async ({ projectId, body }) => {
      const images = await viewImages(await findImages(projectId, [...new Set(body.keys)]));
      return { images: [...images].map(([key, { src, ...size }]) => ({ key, url: src, ...size })) };
    },
  }),
});
