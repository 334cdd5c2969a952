import { z } from 'zod';
import { adminTransfers } from '@/lib/supabase/admin';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { Db } from '@/lib/supabase/request';
import { findSpecs } from './find-specs';
import { MAX_SPECS_AT_ONCE, type RetriedMany, type RetryMany } from './schema';

/**
 * Starts the next run of each spec in `specUploadIds` that has failed. If the filters in `failed` are given instead,
 * starts the next run of each spec on one page of the failed specs that match them. The client then repeats the call
 * with the returned `nextCursor` until `nextCursor` is null. Each call handles only one page, so no call holds locks or
 * a connection for long. Together, the calls visit each spec once, even if the spec fails again in the meantime. Throws
 * `invalid_request` or `unavailable`.
 */
export async function retryMany(
  db: Db,
  userId: string,
  { specUploadIds, failed, cursor }: RetryMany,
): Promise<RetriedMany> {
  const limit = MAX_SPECS_AT_ONCE;
  const { specs, nextCursor } = specUploadIds
    ? { specs: specUploadIds.map((id) => ({ id })), nextCursor: null }
    : await findSpecs(db, { ...failed, status: 'failed', sort: 'newest', cursor, limit }, true);
  const ids = [...new Set(specs.map(({ id }) => id))];
  const args = { p_user: userId, p_ids: ids };
  const retried = await callRpc('retry_specs', args, z.int(), adminTransfers());
  return { retried, skipped: ids.length - retried, nextCursor };
}
