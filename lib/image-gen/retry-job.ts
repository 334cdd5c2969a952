import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { imageStatus, type retriedResponse } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('retried'), run: z.int() }),
  z.object({ outcome: z.literal('conflict'), status: imageStatus }),
  z.object({ outcome: z.literal('not_found') }),
]);

/**
 * Runs the last prompt again, from the same source. Throws `not_found`, or `state_conflict` unless the job has failed
 * or was canceled.
 */
export async function retryJob(jobId: string): Promise<z.output<typeof retriedResponse>> {
  const result = outcome.parse(dataOf(await adminDb().rpc('retry_image_job', { p_job: jobId })));
  if (result.outcome === 'not_found') throw new HttpError('not_found');
  if (result.outcome === 'conflict') {
    throw new HttpError(
      'state_conflict',
      `Only a failed or canceled job can be retried; this one is ${result.status}.`,
      {
        members: { currentStatus: result.status },
      },
    );
  }
  return { jobId, run: result.run, status: 'queued' };
}
