import { documentImagesBody, documentImagesResponse, documentParams } from '@/lib/export/schema';
import { findImages } from '@/lib/export/snapshot';
import { viewImages } from '@/lib/export/view-images';
import { methods, route } from '@/lib/http/route';

// POST, although it only reads: a thousand keys do not fit into a URL.
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
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
