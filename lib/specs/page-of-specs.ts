import { timesOf } from '@/lib/http/day';
import { afterKeyedKeyset, afterKeyset, cutPage, decodeCursor, decodeKeyedCursor } from '@/lib/http/page';
import type { SpecFilters, SpecSort, SpecStatus } from './schema';

export type PageOfSpecs = SpecFilters & {
  status?: SpecStatus;
  sort?: SpecSort;
  cursor?: string;
  limit: number;
};

/** The column of the view `specs` for each sort order that is not by time. */
const columns = { file: 'file_key', brand: 'brand_key', status: 'processing_status' } as const;

/**
 * Returns a LIKE pattern that matches the text anywhere, with its own wildcards escaped. PostgREST treats an asterisk
 * as a wildcard that cannot be escaped, so it becomes `_`, which matches any one character.
 */
function containing(text: string): string {
  return `%${text
    .trim()
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '_')}%`;
}

/** Returns the LIKE pattern for the search text, or undefined if there is none. */
export function patternOf({ q }: SpecFilters): string | undefined {
  return q?.trim() ? containing(q) : undefined;
}

/** A query on the view `specs` that selects any columns. */
interface SpecsQuery {
  eq(column: string, value: string): this;
  gte(column: string, value: string): this;
  lt(column: string, value: string): this;
  ilike(column: string, pattern: string): this;
  or(filters: string): this;
  order(column: string, options: { ascending: boolean }): this;
  limit(count: number): this;
}

/** Returns the filter for the rows after the cursor. Throws `invalid_request`. */
function after(sort: SpecSort, cursor: string): string {
  if (sort === 'newest' || sort === 'oldest') return afterKeyset(decodeCursor(cursor), sort);
  return afterKeyedKeyset(columns[sort], decodeKeyedCursor(cursor));
}

/** Limits a query to one page of matching specs, plus one row for `cutSpecs`. Throws `invalid_request`. */
export function pageOf<Query extends SpecsQuery>(
  query: Query,
  { status, sort = 'newest', cursor, limit, ...filters }: PageOfSpecs,
): Query {
  let page = query.limit(limit + 1);
  if (status) page = page.eq('processing_status', status);
  if (filters.brand) page = page.eq('brand_name', filters.brand);
  if (filters.area) page = page.eq('area', filters.area);
  const { from, before } = timesOf(filters);
  if (from) page = page.gte('created_at', from);
  if (before) page = page.lt('created_at', before);
  // `ilike` lets Postgres lowercase the pattern as it does the text, because JavaScript differs for some letters.
  const pattern = patternOf(filters);
  if (pattern) page = page.ilike('search_text', pattern);
  if (cursor) page = page.or(after(sort, cursor));
  if (sort !== 'newest' && sort !== 'oldest') page = page.order(columns[sort], { ascending: true });
  const ascending = sort === 'oldest';
  return page.order('created_at', { ascending }).order('id', { ascending });
}

type SortedRow = {
  created_at: string;
  id: string;
  file_key: string | null;
  brand_key: string | null;
  processing_status: string;
};

/** Cuts the fetched rows down to a page and returns it with the cursor for the next page. */
export function cutSpecs<Row extends SortedRow>(rows: Row[], { sort = 'newest', limit }: PageOfSpecs) {
  if (sort === 'newest' || sort === 'oldest') return cutPage(rows, limit);
  const column = columns[sort];
  return cutPage(rows, limit, (row) => row[column] ?? '');
}
