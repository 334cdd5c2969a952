import { z } from 'zod';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';
import { eventKind } from '../schema';

/** The body of `POST /api/admin/workflow/tests` and `POST /api/admin/workflow/test-callback`. */
export const startTestBody = z.object({ kind: eventKind });

/** A step of a test: the trigger was sent, the trigger was accepted, the trigger failed, or a callback arrived. */
export const testStepName = z.enum(['sent', 'accepted', 'failed', 'callback']);
export const testStep = z.object({
  at: time,
  step: testStepName,
  /** The reported status of a callback. */
  status: z.string().nullable(),
  /** Why the trigger failed, the reported error, or notes on the outputs. */
  detail: z.string().nullable(),
});
export type TestStep = z.infer<typeof testStep>;

/**
 * A test of the workflow service. It follows the same protocol as a run, but its id takes the place of a spec or job
 * id. The id is valid for an hour.
 */
export const workflowTest = z.object({
  id: uuid,
  kind: eventKind,
  createdAt: time,
  steps: z.array(testStep),
  /** True if the trigger failed, or if the trigger was accepted and a callback reported a final status. */
  isOver: z.boolean(),
});
export type WorkflowTestRun = z.infer<typeof workflowTest>;

export const testStarted = z.object({ id: uuid });
export const testParams = z.object({ id: uuid });

/** A sample callback that the server sent to itself, and the response. */
export const callbackTested = z.object({
  /** The id of the test, which accepts callbacks for an hour. */
  id: uuid,
  url: z.string(),
  /** The JSON that was sent. */
  body: z.string(),
  /** A shell command that sends the same callback. It reads the secret from an environment variable. */
  command: z.string(),
  /** The status of the response; null if there was none. */
  status: z.int().nullable(),
  /** The body of the response, or why there was none. */
  response: z.string(),
});
export type CallbackTested = z.infer<typeof callbackTested>;
