import { methods, route } from '@/lib/http/route';
import { cancelExport } from '@/lib/export/cancel-export';
import { requireExport } from '@/lib/export/queries';
import { exportJob, exportJobParams } from '@/lib/export/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ exportJobId: params.jobId }),
    summary: 'Cancels an export.',
    docs: { codes: ['state_conflict'] },
    params: exportJobParams,
    status: 200,
    response: exportJob,
    handle: async ({ caller, params }) => {
      await cancelExport(params.jobId);
      return requireExport(caller.db, params.jobId);
    },
  }),
});
