import { z } from 'zod';
import type { Log } from '@/lib/log/logger';
import { removeObjects } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { databaseError, dataOf } from '@/lib/supabase/database-error';
import { retention, SWEEP_ROWS } from './retention';

const reaped = z.object({ dead: z.int(), timed_out: z.int() });
const SWEEP_MS = 60 * 60_000;
let sweptAt = 0;

/** Removes files that no row names and rows that are only kept for a while. */
async function sweep(log: Log): Promise<void> {
  const { error, status } = await adminDb().rpc('forget_old_rows', {
    p_idempotency_s: retention.idempotencyKeysS,
    p_rate_s: retention.rateBucketsS,
    p_work_s: retention.workS,
    p_exports_s: retention.exportsS,
    p_limit: SWEEP_ROWS,
  });
  if (error) throw databaseError(error, status);
  const batch = 100;
  for (let found = batch; found === batch; ) {
    const orphans = dataOf(
      await adminDb().rpc('orphaned_objects', {
        p_min_age_s: retention.orphansS,
        p_min_output_age_s: retention.outputsS,
        p_limit: batch,
      }),
    );
    found = orphans.length;
    await removeObjects(orphans.map((object) => `${object.bucket_id}/${object.name}`));
    if (found > 0) log.info({ removed: found }, 'orphaned files removed');
  }
}

/** Ends what nobody ends by himself: lost work, runs past their deadline; and once an hour sweeps up. */
export async function reap(log: Log): Promise<{ dead: number; timedOut: number }> {
  const result = reaped.parse(dataOf(await adminDb().rpc('work_reap', {})));
  if (result.dead + result.timed_out > 0) log.warn(result, 'work reaped');
  if (Date.now() - sweptAt > SWEEP_MS) {
    sweptAt = Date.now();
    await sweep(log);
  }
  return { dead: result.dead, timedOut: result.timed_out };
}
