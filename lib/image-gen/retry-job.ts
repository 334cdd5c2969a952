import { z } from 'zod';
import { statusConflict } from '@/lib/errors/status-conflict';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { imageStatus, type retriedResponse } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('retried'), run: z.int() }),
  z.object({ outcome: z.literal('conflict'), status: imageStatus }),
  z.object({ outcome: z.literal('not_found') }),
]);

/**
 * Runs the last prompt again, from the same source. Throws `state_conflict` unless the job has failed or was canceled.
 */
export async function retryJob(jobId: string): Promise<z.output<typeof retriedResponse>> {
  const result = accepted(await callRpc('retry_image_job', { p_job: jobId }, outcome));
  if (result.outcome === 'conflict') {
    const detail = `Only a failed or canceled job can be retried; this one is ${result.status}.`;
    throw statusConflict(detail, result.status);
  }
  return { jobId, run: result.run, status: 'queued' };
}
