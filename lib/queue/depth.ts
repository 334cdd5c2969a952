import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';

/** The number of pending items of one kind, and how many seconds the oldest due item has waited. */
export type QueueDepth = { kind: string; pending: number; oldestDueS: number };

/** Reads the queue's depth for each kind with pending items. Throws `unavailable`. */
export async function queueDepth(): Promise<QueueDepth[]> {
  const rows = dataOf(await adminDb().rpc('work_depth', {}));
  return rows.map((row) => ({ kind: row.kind, pending: row.pending, oldestDueS: row.oldest_due_s }));
}
