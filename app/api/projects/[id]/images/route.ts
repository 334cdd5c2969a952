import { methods, route } from '@/lib/http/route';
import { listImages } from '@/lib/projects/queries';
import {
  imageForm,
  imagesResponse,
  listImagesQuery,
  projectImage,
  projectParams,
} from '@/lib/projects/schema';
import { uploadImage } from '@/lib/projects/upload-image';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Lists the images uploaded to a project, newest first.',
    params: projectParams,
    query: listImagesQuery,
    status: 200,
    response: imagesResponse,
    handle: ({ caller, projectId, query }) => listImages(caller.db, projectId, query),
  }),
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary:
      'Uploads an image: a PNG, JPEG or WebP of at most 15 MB, or an SVG of at most 256 KB without text, images and scripts. The returned file of an SVG is a PNG of it; documents print it as vectors.',
    docs: { codes: ['invalid_image'] },
    rate: 'costly',
    idempotent: true,
    params: projectParams,
    form: imageForm,
    status: 201,
    response: projectImage,
    location: (_, params) => `/api/projects/${params.id}/images`,
    handle: ({ caller, projectId, request, idempotency }) =>
      uploadImage({ request, projectId, userId: caller.userId, idempotencyKey: idempotency?.key ?? null }),
  }),
});
