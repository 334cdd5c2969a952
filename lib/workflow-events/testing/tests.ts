import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { type EventKind, eventKind } from '../schema';
import { testStep, type testStepName, type WorkflowTestRun } from './schema';

type NewStep = { step: z.infer<typeof testStepName>; status?: string; detail?: string };

const storedSteps = z.array(
  z
    .looseObject({ status: z.string().nullable().default(null), detail: z.string().nullable().default(null) })
    .pipe(testStep),
);

/** Creates a test and returns its id, which is used in place of the id of a spec or image job. */
export async function createTest(kind: EventKind): Promise<string> {
  return dataOf(await adminDb().rpc('create_workflow_test', { p_source: kind }));
}

/** Adds a step to a test from the last hour. Returns false if there is no such test. */
export async function addTestStep(id: string, kind: EventKind, step: NewStep): Promise<boolean> {
  return dataOf(await adminDb().rpc('add_workflow_test_step', { p_id: id, p_source: kind, p_step: step }));
}

/** Returns a test with its steps so far. Throws `not_found`. */
export async function readTest(id: string): Promise<WorkflowTestRun> {
  const [row] = dataOf(await adminDb().rpc('workflow_test', { p_id: id }));
  if (!row) throw new HttpError('not_found');
  const steps = storedSteps.parse(row.steps);
  const hasFailed = steps.some(({ step }) => step === 'failed');
  // A callback can arrive before the response to its trigger, so a final report alone does not end the test.
  const isAccepted = steps.some(({ step }) => step === 'accepted');
  const hasReported = steps.some(({ step, status }) => step === 'callback' && status !== 'running');
  const isOver = hasFailed || (isAccepted && hasReported);
  return { id: row.id, kind: eventKind.parse(row.source), createdAt: row.created_at, steps, isOver };
}
