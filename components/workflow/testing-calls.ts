import { callApi } from '@/lib/http/client';
import type { EventKind } from '@/lib/workflow-events/schema';
import { callbackTested, testStarted, workflowTest } from '@/lib/workflow-events/testing/schema';

/** Sends a test trigger to the workflow service. Returns the id of the test. */
export async function startTest(kind: EventKind): Promise<string> {
  const body = { kind };
  return (await callApi('/api/admin/workflow/tests', { method: 'POST', body, schema: testStarted })).id;
}

export function readTest(id: string, signal: AbortSignal) {
  return callApi(`/api/admin/workflow/tests/${id}`, { schema: workflowTest, signal });
}

/** Sends a sample callback to this app and returns its response. */
export function testCallback(kind: EventKind) {
  const body = { kind };
  return callApi('/api/admin/workflow/test-callback', { method: 'POST', body, schema: callbackTested });
}
