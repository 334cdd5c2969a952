import { z } from 'zod';
import { missingRecord } from '@/lib/errors/missing-record';
import { statusConflict } from '@/lib/errors/status-conflict';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { specStatus } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['retried', 'not_found']) }),
  z.object({ outcome: z.literal('conflict'), status: specStatus }),
]);

type Started = { specUploadId: string; status: 'pending' };

/** Starts the next run of a failed spec. Throws `not_found`, or `state_conflict` if the spec has not failed. */
export async function retrySpec(specUploadId: string): Promise<Started> {
  const result = accepted(await callRpc('retry_spec', { p_id: specUploadId }, outcome), () =>
    missingRecord(['specUploadId'], 'spec'),
  );
  if (result.outcome === 'conflict') {
    throw statusConflict(`Only a failed spec can be retried; this one is ${result.status}.`, result.status);
  }
  return { specUploadId, status: 'pending' };
}

/**
 * Starts the next run of a completed or failed spec. Throws `not_found`, or `state_conflict` if the spec is still
 * queued or being processed.
 */
export async function processAgain(specUploadId: string, userId: string): Promise<Started> {
  const args = { p_id: specUploadId, p_user: userId, p_again: true };
  const result = accepted(await callRpc('retry_spec', args, outcome), () =>
    missingRecord(['specUploadId'], 'spec'),
  );
  if (result.outcome === 'conflict') {
    throw statusConflict('The spec is still queued or being processed.', result.status);
  }
  return { specUploadId, status: 'pending' };
}
