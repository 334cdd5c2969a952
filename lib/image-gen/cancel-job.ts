import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { imageStatus } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('conflict'), status: imageStatus }),
  z.object({ outcome: z.enum(['canceled', 'already', 'not_found']) }),
]);

/** Cancels the current run; canceling again succeeds. Throws `not_found`, or `state_conflict` when the run has ended. */
export async function cancelJob(jobId: string): Promise<void> {
  const result = outcome.parse(dataOf(await adminDb().rpc('cancel_image_job', { p_job: jobId })));
  if (result.outcome === 'not_found') throw new HttpError('not_found');
  if (result.outcome === 'conflict') {
    throw new HttpError('state_conflict', `The job has already ${result.status}.`, {
      members: { currentStatus: result.status },
    });
  }
}
