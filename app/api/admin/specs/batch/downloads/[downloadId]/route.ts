import { methods, route } from '@/lib/http/route';
import { HttpError } from '@/lib/errors/problem';
import { zipResponse } from '@/lib/http/zip-response';
import { zipStream } from '@/lib/http/zip-stream';
import { logError } from '@/lib/log/log-error';
import { readSpecDownload, specFilesOf } from '@/lib/specs/download-many';
import { specDownloadParams, specsZip } from '@/lib/specs/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Returns the prepared specs as a ZIP file, in folders named after brand, area and property.',
    docs: { codes: ['not_found'], media: 'application/zip', file: true },
    params: specDownloadParams,
    status: 200,
    response: specsZip,
    respond: zipResponse,
    handle: async ({ caller, params, request, log }) => {
      const rows = await readSpecDownload(params.downloadId, caller.userId);
      if (rows.length === 0) throw new HttpError('not_found');
      // Read errors occur only after the status is sent, so log them instead of throwing them.
      return zipStream(specFilesOf(rows, request.signal), (error) =>
        logError(log, error, 'spec download failed'),
      );
    },
  }),
});
