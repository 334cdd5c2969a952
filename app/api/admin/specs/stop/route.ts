import { methods, route } from '@/lib/http/route';
import { stopBody, stopResponse } from '@/lib/specs/schema';
import { stopSpec } from '@/lib/specs/stop-spec';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary:
      'Stops a spec that is queued or being processed. The spec then counts as failed and can be retried.',
    docs: { codes: ['not_found', 'state_conflict'] },
    body: stopBody,
    status: 200,
    response: stopResponse,
    handle: ({ body }) => stopSpec(body.specUploadId),
  }),
});
