import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';

/** How much of one kind of work waits, and for how many seconds the oldest item that is due has waited. */
export type QueueDepth = { kind: string; pending: number; oldestDueS: number };

/** Reads how much work waits; a kind without any is left out. Throws `unavailable`. */
export async function queueDepth(): Promise<QueueDepth[]> {
  const rows = dataOf(await adminDb().rpc('work_depth', {}));
  return rows.map((row) => ({ kind: row.kind, pending: row.pending, oldestDueS: row.oldest_due_s }));
}
