import { methods, route } from '@/lib/http/route';
import { cancelJob } from '@/lib/image-gen/cancel-job';
import { requireJob } from '@/lib/image-gen/queries';
import { imageJob, jobParams } from '@/lib/image-gen/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ imageJobId: params.jobId }),
    summary: 'Cancels the current run.',
    docs: { codes: ['state_conflict'] },
    params: jobParams,
    status: 200,
    response: imageJob,
    handle: async ({ caller, params }) => {
      await cancelJob(params.jobId);
      return requireJob(caller.db, params.jobId);
    },
  }),
});
