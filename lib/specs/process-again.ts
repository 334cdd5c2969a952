import { z } from 'zod';
import { statusConflict } from '@/lib/errors/status-conflict';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { specStatus } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['started', 'not_found']) }),
  z.object({ outcome: z.literal('conflict'), status: specStatus }),
]);

/**
 * Starts the next run of a completed or failed spec. Throws `not_found`, or `state_conflict` if the spec is still
 * queued or being processed.
 */
export async function processAgain(
  specUploadId: string,
  userId: string,
): Promise<{ specUploadId: string; status: 'pending' }> {
  const result = accepted(
    await callRpc('process_spec_again', { p_user: userId, p_id: specUploadId }, outcome),
  );
  if (result.outcome === 'conflict') {
    throw statusConflict('The spec is still queued or being processed.', result.status);
  }
  return { specUploadId, status: 'pending' };
}
