import { documentImagesAnswer, documentImagesBody, documentParams } from '@/lib/export/schema';
import { findImages } from '@/lib/export/snapshot';
import { viewImages } from '@/lib/export/view-images';
import { methods, route } from '@/lib/http/route';

// Reads, by POST: a thousand names are too long for an address.
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: "Addresses and sizes of a project's images, by the names that its pages give them.",
    params: documentParams,
    body: documentImagesBody,
    maxBytes: 1024 * 1024,
    status: 200,
    response: documentImagesAnswer,
    handle: async ({ projectId, body }) => {
      const images = await viewImages(await findImages(projectId, [...new Set(body.keys)]));
      return { images: [...images].map(([key, { src, ...size }]) => ({ key, url: src, ...size })) };
    },
  }),
});
