import { methods, route } from '@/lib/http/route';
import { testCallback } from '@/app/workflow-test/test-callback';
import { callbackTested, startTestBody } from '@/lib/workflow-events/testing/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary:
      "Sends a sample callback with the correct secret to Atelier's own callback URL. It changes nothing.",
    rate: 'costly',
    body: startTestBody,
    status: 200,
    response: callbackTested,
    handle: ({ body }) => testCallback(body.kind),
  }),
});
