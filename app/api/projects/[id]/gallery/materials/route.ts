import { methods, route } from '@/lib/http/route';
import { listGalleryMaterials } from '@/lib/image-gen/gallery';
import { galleryMaterialsResponse, galleryParams } from '@/lib/image-gen/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: "Lists the materials that a project's images use, by name.",
    params: galleryParams,
    status: 200,
    response: galleryMaterialsResponse,
    handle: async ({ projectId }) => ({ materials: await listGalleryMaterials(projectId) }),
  }),
});
