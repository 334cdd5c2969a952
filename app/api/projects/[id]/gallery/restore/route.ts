import { methods, route } from '@/lib/http/route';
import { restoreImages } from '@/lib/image-gen/change-images';
import { changedResponse, galleryParams, imagesBody } from '@/lib/image-gen/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Restores images that were deleted at most 30 days ago.',
    params: galleryParams,
    body: imagesBody,
    status: 200,
    response: changedResponse,
    handle: ({ projectId, body }) => restoreImages(projectId, body.imageIds),
  }),
});
