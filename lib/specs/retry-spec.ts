import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { specStatus } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('retried'), run: z.int() }),
  z.object({ outcome: z.literal('conflict'), status: specStatus }),
  z.object({ outcome: z.literal('not_found') }),
]);

/** Starts the next run of a failed spec. Throws `not_found`, or `state_conflict` when it has not failed. */
export async function retrySpec(specUploadId: string): Promise<{ specUploadId: string; status: 'pending' }> {
  const result = outcome.parse(dataOf(await adminDb().rpc('retry_spec', { p_id: specUploadId })));
  if (result.outcome === 'not_found') throw new HttpError('not_found');
  if (result.outcome === 'conflict') {
    throw new HttpError(
      'state_conflict',
      `Only a failed spec can be retried; this one is ${result.status}.`,
      {
        members: { currentStatus: result.status },
      },
    );
  }
  return { specUploadId, status: 'pending' };
}
