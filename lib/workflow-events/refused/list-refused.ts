import { cutPage, decodeCursor } from '@/lib/http/page';
import { adminDb } from '@/lib/supabase/admin';
import type { Database } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import { eventKind } from '../schema';
import type { ListRefusedQuery, RefusedResponse } from './schema';

type Row = Database['public']['Functions']['refused_callbacks']['Returns'][number];
// Makes `subject_id` nullable, because the generated types never mark a function's result columns as nullable.
type RefusedRow = Omit<Row, 'subject_id'> & { subject_id: string | null };

/**
 * Returns a page of the refused callbacks, newest first. For administrators only. Throws `unavailable`, or
 * `invalid_request` for an invalid cursor.
 */
export async function listRefused(query: ListRefusedQuery): Promise<RefusedResponse> {
  const before = query.cursor ? decodeCursor(query.cursor) : null;
  const found: RefusedRow[] = dataOf(
    await adminDb().rpc('refused_callbacks', {
      p_before: before?.createdAt,
      p_before_id: before?.id,
      p_limit: query.limit + 1,
    }),
  );
  const { rows, nextCursor } = cutPage(found, query.limit);
  const callbacks = rows.map((row) => ({
    id: row.id,
    kind: eventKind.parse(row.source),
    code: row.code,
    detail: row.detail,
    subjectId: row.subject_id,
    times: row.times,
    createdAt: row.created_at,
    lastAt: row.last_at,
  }));
  return { callbacks, nextCursor };
}
