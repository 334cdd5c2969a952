import { methods, route } from '@/lib/http/route';
import { after } from 'next/server';
import { sendTest } from '@/app/workflow-test/send-test';
import { startTestBody, testStarted } from '@/lib/workflow-events/testing/schema';
import { createTest } from '@/lib/workflow-events/testing/tests';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary: 'Sends a trigger marked as a test to the workflow service.',
    rate: 'costly',
    body: startTestBody,
    status: 202,
    response: testStarted,
    location: (response) => `/api/admin/workflow/tests/${response.id}`,
    handle: async ({ body, log }) => {
      const id = await createTest(body.kind);
      after(() => sendTest(id, body.kind, log));
      return { id };
    },
  }),
});
