import { methods, route } from '@/lib/http/route';
import { requireJob } from '@/lib/image-gen/queries';
import { renameJob } from '@/lib/image-gen/rename-job';
import { imageJob, jobParams, renameJobBody } from '@/lib/image-gen/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ params }) => ({ imageJobId: params.jobId }),
    summary: 'Returns an image job.',
    params: jobParams,
    status: 200,
    response: imageJob,
    handle: ({ caller, params }) => requireJob(caller.db, params.jobId),
  }),
  PATCH: route({
    access: 'editor',
    project: ({ params }) => ({ imageJobId: params.jobId }),
    summary: 'Names an image job. Without a name, people see its first prompt.',
    params: jobParams,
    body: renameJobBody,
    status: 200,
    response: imageJob,
    handle: async ({ caller, params, body }) => {
      await renameJob(params.jobId, body.name ?? null);
      return requireJob(caller.db, params.jobId);
    },
  }),
});
