import { z } from 'zod';
import { missingRecord } from '@/lib/errors/missing-record';
import { statusConflict } from '@/lib/errors/status-conflict';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { specStatus } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['stopped', 'not_found']) }),
  z.object({ outcome: z.literal('conflict'), status: specStatus }),
]);

/**
 * Marks the current run of a queued or running spec as failed. Does nothing if the spec is already stopped. Throws
 * `not_found`, or `state_conflict` if the run has completed or has failed for another reason.
 */
export async function stopSpec(specUploadId: string): Promise<{ specUploadId: string; status: 'failed' }> {
  const result = accepted(await callRpc('stop_spec', { p_id: specUploadId }, outcome), () =>
    missingRecord(['specUploadId'], 'spec'),
  );
  if (result.outcome === 'conflict') {
    throw statusConflict(
      `Only a spec that is queued or being processed can be stopped; this one is ${result.status}.`,
      result.status,
    );
  }
  return { specUploadId, status: 'failed' };
}
