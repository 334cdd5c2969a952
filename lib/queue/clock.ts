import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';

/**
 * Returns how far this machine's clock is ahead of the database's, in milliseconds; negative if it is behind. A
 * difference within the query's duration counts as 0. Throws `unavailable`.
 */
export async function clockLead(): Promise<number> {
  const before = Date.now();
  const database = dataOf(await adminDb().rpc('clock_ms'));
  const after = Date.now();
  if (before > database) return before - database;
  return Math.min(0, after - database);
}
