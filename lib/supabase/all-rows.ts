import type { PostgrestError } from '@supabase/supabase-js';
import { dataOf } from './database-error';

/** PostgREST's `max_rows`: the maximum number of rows in a response, regardless of the requested limit. */
const PAGE_ROWS = 1000;

type ReadPage<Row> = (
  from: number,
  to: number,
) => PromiseLike<{ data: Row[] | null; error: PostgrestError | null; status: number }>;

/**
 * Returns the first `count` rows of a query. `page` reads the rows from `from` to `to` (inclusive) in a stable order.
 * Throws `unavailable` or `internal`.
 */
export async function firstRows<Row>(count: number, page: ReadPage<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  while (rows.length < count) {
    const size = Math.min(PAGE_ROWS, count - rows.length);
    const more = dataOf(await page(rows.length, rows.length + size - 1));
    rows.push(...more);
    if (more.length < size) break;
  }
  return rows;
}

/** Returns all rows of a query. Throws `unavailable` or `internal`. */
export function allRows<Row>(page: ReadPage<Row>): Promise<Row[]> {
  return firstRows(Number.POSITIVE_INFINITY, page);
}
