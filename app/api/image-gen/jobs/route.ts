import { methods, route } from '@/lib/http/route';
import { after } from 'next/server';
import { createJob } from '@/lib/image-gen/create-job';
import { listJobs } from '@/lib/image-gen/queries';
import { createJobBody, jobStartedResponse, jobsResponse, listJobsQuery } from '@/lib/image-gen/schema';
import { nudgeLoop } from '@/lib/queue/loop';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'viewer',
    project: ({ query }) => ({ projectId: query.projectId }),
    summary: 'Lists the image jobs of a project, newest first.',
    query: listJobsQuery,
    status: 200,
    response: jobsResponse,
    handle: ({ caller, query }) => listJobs(caller.db, query),
  }),
  POST: route({
    access: 'editor',
    project: async ({ readBody }) => ({ projectId: (await readBody()).projectId }),
    summary: 'Starts an image job with its first prompt.',
    idempotent: true,
    rate: 'costly',
    body: createJobBody,
    status: 202,
    response: jobStartedResponse,
    location: (response) => `/api/image-gen/jobs/${response.jobId}`,
    handle: async ({ caller, body, idempotency }) => {
      const response = await createJob(body, caller.userId, idempotency);
      after(nudgeLoop);
      return response;
    },
  }),
});
