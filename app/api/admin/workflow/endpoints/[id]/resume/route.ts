import { methods, route } from '@/lib/http/route';
import { after } from 'next/server';
import { resumeEndpoint } from '@/lib/event-endpoints/endpoints';
import { endpointParams, resumedResponse } from '@/lib/event-endpoints/schema';
import { nudgeLoop } from '@/lib/queue/loop';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary: 'Resumes a paused endpoint and sends what it has missed.',
    docs: { codes: ['not_found'] },
    params: endpointParams,
    status: 202,
    response: resumedResponse,
    location: (response) => `/api/admin/workflow/deliveries?endpoint=${response.id}`,
    handle: async ({ params }) => {
      const response = await resumeEndpoint(params.id);
      after(nudgeLoop);
      return response;
    },
  }),
});
