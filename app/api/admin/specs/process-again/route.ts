import { methods, route } from '@/lib/http/route';
import { after } from 'next/server';
import { nudgeLoop } from '@/lib/queue/loop';
import { processAgain } from '@/lib/specs/retry-spec';
import { retryBody, retryResponse } from '@/lib/specs/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary: 'Sends a finished spec to the workflow service again, even if it did not fail.',
    docs: { codes: ['not_found', 'state_conflict'] },
    rate: 'costly',
    body: retryBody,
    status: 202,
    response: retryResponse,
    location: (response) => `/api/admin/specs/${response.specUploadId}`,
    handle: async ({ caller, body }) => {
      const response = await processAgain(body.specUploadId, caller.userId);
      after(nudgeLoop);
      return response;
    },
  }),
});
