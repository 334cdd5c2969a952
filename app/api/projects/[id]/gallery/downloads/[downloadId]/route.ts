import { HttpError } from '@/lib/errors/problem';
import { methods, route } from '@/lib/http/route';
import { zipStream } from '@/lib/http/zip-stream';
import { downloadFiles, readDownload } from '@/lib/image-gen/download-images';
import { downloadParams, zipFile } from '@/lib/image-gen/schema';
import { logError } from '@/lib/log/log-error';
import { getProject } from '@/lib/projects/queries';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Returns the prepared images as a ZIP file, with a list of their prompts and seeds.',
    docs: { media: 'application/zip', file: true },
    params: downloadParams,
    status: 200,
    response: zipFile,
    respond: (zip) =>
      new Response(zip, {
        headers: {
          'content-type': 'application/zip',
          // The link names the file.
          'content-disposition': 'attachment',
          'cache-control': 'private, no-store',
        },
      }),
    handle: async ({ caller, projectId, params, log }) => {
      const [project, rows] = await Promise.all([
        getProject(caller, projectId),
        readDownload(params.downloadId, { projectId, userId: caller.userId }),
      ]);
      if (!project || rows.length === 0) throw new HttpError('not_found');
      // The status is sent before a file can fail.
      return zipStream(downloadFiles(project.name, rows), (error) =>
        logError(log, error, 'download of images failed'),
      );
    },
  }),
});
