import { z } from 'zod';
import { statusConflict } from '@/lib/errors/status-conflict';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { specStatus } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('retried'), run: z.int() }),
  z.object({ outcome: z.literal('conflict'), status: specStatus }),
  z.object({ outcome: z.literal('not_found') }),
]);

/** Starts the next run of a failed spec. Throws `not_found`, or `state_conflict` if the spec has not failed. */
export async function retrySpec(specUploadId: string): Promise<{ specUploadId: string; status: 'pending' }> {
  const result = accepted(await callRpc('retry_spec', { p_id: specUploadId }, outcome));
  if (result.outcome === 'conflict') {
    throw statusConflict(`Only a failed spec can be retried; this one is ${result.status}.`, result.status);
  }
  return { specUploadId, status: 'pending' };
}
