import { z } from 'zod';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { Db } from '@/lib/supabase/request';
import { listSpecIds } from './queries';
import { MAX_SPECS_AT_ONCE, type RetriedMany, type RetryMany } from './schema';

/**
 * Starts the next run of each of these specs that has failed, or of a page of all failed ones that match the filters:
 * a call with `failed` is repeated with its `nextCursor`. The client makes the loop, so that no call holds locks or a
 * connection for long, however many specs have failed; the cursor visits each spec once, even if it fails again
 * meanwhile. Throws `invalid_request` or `unavailable`.
 */
export async function retryMany(
  db: Db,
  userId: string,
  { specUploadIds, failed, cursor }: RetryMany,
): Promise<RetriedMany> {
  const { ids, nextCursor } = specUploadIds
    ? { ids: [...new Set(specUploadIds)], nextCursor: null }
    : await listSpecIds(db, { ...failed, status: 'failed', cursor, limit: MAX_SPECS_AT_ONCE });
  const retried = await callRpc('retry_specs', { p_user: userId, p_ids: ids }, z.int());
  return { retried, skipped: ids.length - retried, nextCursor };
}
