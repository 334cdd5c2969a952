import { methods, route } from '@/lib/http/route';
import { HttpError } from '@/lib/errors/problem';
import { zipResponse } from '@/lib/http/zip-response';
import { zipStream } from '@/lib/http/zip-stream';
import { imageFilesOf, readImageDownload } from '@/lib/image-gen/download-images';
import { imageDownloadParams, imagesZip } from '@/lib/image-gen/schema';
import { logError } from '@/lib/log/log-error';
import { getProject } from '@/lib/projects/queries';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Returns the prepared images as a ZIP file, with a list of their prompts and seeds.',
    docs: { media: 'application/zip', file: true },
    params: imageDownloadParams,
    status: 200,
    response: imagesZip,
    respond: zipResponse,
    handle: async ({ caller, projectId, params, log }) => {
      const [project, rows] = await Promise.all([
        getProject(caller, projectId),
        readImageDownload(params.downloadId, { projectId, userId: caller.userId }),
      ]);
      if (!project || rows.length === 0) throw new HttpError('not_found');
      // Read errors occur only after the status is sent, so log them instead of throwing them.
      return zipStream(imageFilesOf(project.name, rows), (error) =>
        logError(log, error, 'download of images failed'),
      );
    },
  }),
});
