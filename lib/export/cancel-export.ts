import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { exportStatus } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('conflict'), status: exportStatus }),
  z.object({ outcome: z.enum(['canceled', 'already', 'not_found']) }),
]);

/** Cancels an export; canceling again succeeds. Throws `not_found`, or `state_conflict` when the export has ended. */
export async function cancelExport(jobId: string): Promise<void> {
  const result = outcome.parse(dataOf(await adminDb().rpc('cancel_export_job', { p_job: jobId })));
  if (result.outcome === 'not_found') throw new HttpError('not_found');
  if (result.outcome === 'conflict') {
    throw new HttpError('state_conflict', `The export has already ${result.status}.`, {
      members: { currentStatus: result.status },
    });
  }
}
