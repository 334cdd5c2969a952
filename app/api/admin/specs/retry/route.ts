import { methods, route } from '@/lib/http/route';
import { after } from 'next/server';
import { nudgeLoop } from '@/lib/queue/loop';
import { retrySpec } from '@/lib/specs/retry-spec';
import { retryBody, retryResponse } from '@/lib/specs/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary: 'Sends a failed spec to the workflow service again.',
    docs: { codes: ['not_found', 'state_conflict'] },
    rate: 'costly',
    body: retryBody,
    status: 202,
    response: retryResponse,
    location: (response) => `/api/admin/specs/${response.specUploadId}`,
    handle: async ({ body }) => {
      const response = await retrySpec(body.specUploadId);
      after(nudgeLoop);
      return response;
    },
  }),
});
