import { methods, route } from '@/lib/http/route';
import { copiedImagesResponse, copyImagesBody } from '@/lib/projects/copies/schema';
import { copyImages } from '@/lib/projects/copy-images';
import { projectParams } from '@/lib/projects/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary:
      'Copies images into a project from other projects that the caller can see. An image is never copied twice.',
    docs: { codes: ['unavailable'] },
    rate: 'search',
    params: projectParams,
    body: copyImagesBody,
    status: 200,
    response: copiedImagesResponse,
    handle: ({ caller, projectId, body }) => copyImages(caller, projectId, [...new Set(body.keys)]),
  }),
});
