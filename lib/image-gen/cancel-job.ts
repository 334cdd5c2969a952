import { z } from 'zod';
import { statusConflict } from '@/lib/errors/status-conflict';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { imageStatus } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('conflict'), status: imageStatus }),
  z.object({ outcome: z.enum(['canceled', 'already', 'not_found']) }),
]);

/**
 * Cancels a job's current run. Does nothing if the run is already canceled. Throws `not_found`, or `state_conflict` if
 * the run has succeeded or failed.
 */
export async function cancelJob(jobId: string): Promise<void> {
  const result = accepted(await callRpc('cancel_image_job', { p_job: jobId }, outcome));
  if (result.outcome === 'conflict') {
    throw statusConflict(`The job has already ${result.status}.`, result.status);
  }
}
