import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';

/**
 * How far the clock of this machine is ahead of the database's, in milliseconds; negative when it is behind. What the
 * question itself took is not counted, so a slow answer gives 0. Throws `unavailable`.
 */
export async function clockLead(): Promise<number> {
  const before = Date.now();
  const database = dataOf(await adminDb().rpc('clock_ms'));
  const after = Date.now();
  if (before > database) return before - database;
  return Math.min(0, after - database);
}
