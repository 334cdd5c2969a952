import { methods, route } from '@/lib/http/route';
import { starImages } from '@/lib/image-gen/change-images';
import { changedResponse, galleryParams, starBody } from '@/lib/image-gen/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Stars images of a project, or removes their stars.',
    params: galleryParams,
    body: starBody,
    status: 200,
    response: changedResponse,
    handle: ({ projectId, body }) => starImages(projectId, body.imageIds, body.starred),
  }),
});
