import type { PostgrestError } from '@supabase/supabase-js';
import { dataOf } from './database-error';

/** PostgREST gives at most this many rows an answer, whatever is asked (`max_rows`). */
const PAGE_ROWS = 1000;

/**
 * Every row of a query that needs them all. `page` asks for the rows `from` to `to` in a stable order.
 * Throws `unavailable` or `internal`.
 */
export async function allRows<Row>(
  page: (
    from: number,
    to: number,
  ) => PromiseLike<{ data: Row[] | null; error: PostgrestError | null; status: number }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const more = dataOf(await page(rows.length, rows.length + PAGE_ROWS - 1));
    rows.push(...more);
    if (more.length < PAGE_ROWS) return rows;
  }
}
