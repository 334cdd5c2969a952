import { methods, route } from '@/lib/http/route';
import { createImageDownload } from '@/lib/image-gen/download-images';
import { galleryParams, imageDownloadResponse, imagesBody } from '@/lib/image-gen/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Prepares a download of images as one ZIP file. For an hour, the caller can download it.',
    rate: 'costly',
    params: galleryParams,
    body: imagesBody,
    status: 201,
    response: imageDownloadResponse,
    location: ({ downloadId }, { id }) => `/api/projects/${id}/gallery/downloads/${downloadId}`,
    handle: async ({ caller, projectId, body }) => ({
      downloadId: await createImageDownload({ projectId, userId: caller.userId }, body.imageIds),
    }),
  }),
});
