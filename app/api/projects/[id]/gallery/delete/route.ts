import { methods, route } from '@/lib/http/route';
import { deleteImages } from '@/lib/image-gen/change-images';
import { changedResponse, galleryParams, imagesBody } from '@/lib/image-gen/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Deletes images of a project. For 30 days they can be restored.',
    params: galleryParams,
    body: imagesBody,
    status: 200,
    response: changedResponse,
    handle: ({ projectId, body }) => deleteImages(projectId, body.imageIds),
  }),
});
