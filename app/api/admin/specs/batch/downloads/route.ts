import { methods, route } from '@/lib/http/route';
import { createSpecDownload } from '@/lib/specs/download-many';
import { downloadManyBody, specDownloadResponse } from '@/lib/specs/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary:
      'Prepares a download of up to 500 specs as one ZIP file. The caller can download it for an hour.',
    docs: { codes: ['not_found'] },
    rate: 'costly',
    body: downloadManyBody,
    status: 201,
    response: specDownloadResponse,
    location: ({ downloadId }) => `/api/admin/specs/batch/downloads/${downloadId}`,
    handle: async ({ caller, body }) => ({
      downloadId: await createSpecDownload(caller.userId, body.specUploadIds),
    }),
  }),
});
