import { testCallback } from '@/app/workflow-test/test-callback';
import { methods, route } from '@/lib/http/route';
import { callbackTested, startTestBody } from '@/lib/workflow/testing/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary: 'Sends a sample callback to this service and returns its response.',
    rate: 'costly',
    body: startTestBody,
    status: 200,
    response: callbackTested,
    handle: ({ body }) => testCallback(body.kind),
  }),
});
