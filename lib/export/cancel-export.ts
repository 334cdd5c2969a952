import { z } from 'zod';
import { statusConflict } from '@/lib/errors/status-conflict';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { exportStatus } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('conflict'), status: exportStatus }),
  z.object({ outcome: z.enum(['canceled', 'already', 'not_found']) }),
]);

/**
 * Cancels an export, or does nothing if it is already canceled. Throws `not_found`, or `state_conflict` if the export
 * has completed or failed.
 */
export async function cancelExport(jobId: string): Promise<void> {
  const result = accepted(await callRpc('cancel_export_job', { p_job: jobId }, outcome));
  if (result.outcome === 'conflict') {
    throw statusConflict(`The export has already ${result.status}.`, result.status);
  }
}
