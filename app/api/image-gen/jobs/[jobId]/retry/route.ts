import { methods, route } from '@/lib/http/route';
import { after } from 'next/server';
import { retryJob } from '@/lib/image-gen/retry-job';
import { jobParams, retriedResponse } from '@/lib/image-gen/schema';
import { nudgeLoop } from '@/lib/queue/loop';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ imageJobId: params.jobId }),
    summary: 'Runs the last prompt of a failed or canceled job again.',
    docs: { codes: ['state_conflict'] },
    rate: 'costly',
    params: jobParams,
    status: 202,
    response: retriedResponse,
    location: (response) => `/api/image-gen/jobs/${response.jobId}`,
    handle: async ({ params }) => {
      const response = await retryJob(params.jobId);
      after(nudgeLoop);
      return response;
    },
  }),
});
