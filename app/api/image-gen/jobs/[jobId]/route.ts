import { methods, route } from '@/lib/http/route';
import { requireJob } from '@/lib/image-gen/queries';
import { imageJob, jobParams } from '@/lib/image-gen/schema';

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
});
