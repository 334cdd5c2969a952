import { methods, route } from '@/lib/http/route';
import { requireExport } from '@/lib/export/queries';
import { exportJob, exportJobParams } from '@/lib/export/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ exportJobId: params.jobId }),
    summary: 'Returns an export, with the URL of its PDF once it is complete.',
    params: exportJobParams,
    status: 200,
    response: exportJob,
    handle: ({ caller, params }) => requireExport(caller.db, params.jobId),
  }),
});
