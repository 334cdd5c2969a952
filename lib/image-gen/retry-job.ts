import { z } from 'zod';
import { type Starter, startAs } from '@/lib/auth/start-as';
import { statusConflict } from '@/lib/errors/status-conflict';
import { imageStatus, type retriedResponse } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('retried'), run: z.int() }),
  z.object({ outcome: z.literal('conflict'), status: imageStatus }),
]);

/**
 * Runs the last prompt again, from the same source. Throws `state_conflict` unless the job has failed or was canceled.
 * Also throws what `startAs` throws.
 */
export async function retryJob(starter: Starter, jobId: string): Promise<z.output<typeof retriedResponse>> {
  const args = { p_job: jobId, p_user: starter.caller.userId };
  const result = await startAs(starter, 'retry_image_job', args, outcome);
  if (result.outcome === 'conflict') {
    const detail = `Only a failed or canceled job can be retried; this one is ${result.status}.`;
    throw statusConflict(detail, result.status);
  }
  return { jobId, run: result.run, status: 'queued' };
}
