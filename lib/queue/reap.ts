import { z } from 'zod';
import type { Log } from '@/lib/log/logger';
import { removeObjects } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { databaseError, dataOf } from '@/lib/supabase/database-error';

const reaped = z.object({ dead: z.int(), timed_out: z.int() });
const SWEEP_MS = 60 * 60_000;
let sweptAt = 0;

/** Removes files that no row names and rows that are only kept for a while. */
async function sweep(log: Log): Promise<void> {
  const orphans = dataOf(await adminDb().rpc('orphaned_objects', {}));
  await removeObjects(orphans.map((object) => `${object.bucket_id}/${object.name}`));
  const { error, status } = await adminDb().rpc('forget_old_rows', {});
  if (error) throw databaseError(error, status);
  if (orphans.length > 0) log.info({ removed: orphans.length }, 'orphaned files removed');
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
