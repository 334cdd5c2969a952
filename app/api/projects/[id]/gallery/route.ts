import { methods, route } from '@/lib/http/route';
import { listGallery } from '@/lib/image-gen/gallery';
import { galleryParams, galleryQuery, galleryResponse } from '@/lib/image-gen/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Lists the generated images of a project, newest first, or those that were deleted.',
    params: galleryParams,
    query: galleryQuery,
    status: 200,
    response: galleryResponse,
    handle: ({ projectId, query }) => listGallery(projectId, query),
  }),
});
