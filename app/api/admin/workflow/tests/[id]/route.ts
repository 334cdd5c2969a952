import { methods, route } from '@/lib/http/route';
import { testParams, workflowTest } from '@/lib/workflow-events/testing/schema';
import { readTest } from '@/lib/workflow-events/testing/tests';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Returns a test of the workflow service with its steps so far.',
    docs: { codes: ['not_found'] },
    params: testParams,
    status: 200,
    response: workflowTest,
    handle: ({ params }) => readTest(params.id),
  }),
});
