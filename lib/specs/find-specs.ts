import { timesOf } from '@/lib/http/day';
import { cutPage, decodeCursor, decodeKeyedCursor, type KeyedKeyset, type Keyset } from '@/lib/http/page';
import { dataOf } from '@/lib/supabase/database-error';
import type { Db } from '@/lib/supabase/request';
import { hasWords } from './passage';
import type { SpecFilters, SpecSort, SpecStatus } from './schema';

export type PageOfSpecs = SpecFilters & {
  status?: SpecStatus;
  sort?: SpecSort;
  cursor?: string;
  limit: number;
};

/** Returns the sort order: by default, the best matches of a search first, and the newest without one. */
function orderOf({ sort, q }: PageOfSpecs): SpecSort {
  if (sort && sort !== 'match') return sort;
  return hasWords(q ?? '') ? 'match' : 'newest';
}

/** The key in a cursor for rows without one: `match` has none if the database ignores all characters of a search. */
export const NO_KEY = '0';

/** Returns the position of the row that the cursor stands for. Throws `invalid_request`. */
function positionOf(sort: SpecSort, cursor: string): Keyset & Partial<KeyedKeyset> {
  return sort === 'newest' || sort === 'oldest' ? decodeCursor(cursor) : decodeKeyedCursor(cursor);
}

/**
 * Returns the ids of one page of matching specs, and the cursor for the next page. Throws `invalid_request`,
 * `unavailable`.
 */
export async function findSpecs(
  db: Db,
  query: PageOfSpecs,
): Promise<{ ids: string[]; nextCursor: string | null }> {
  const { status, brand, area, q, cursor, limit } = query;
  const { from, before } = timesOf(query);
  const sort = orderOf(query);
  const after = cursor ? positionOf(sort, cursor) : undefined;
  const found = dataOf(
    await db.rpc('find_specs', {
      p_q: q,
      p_status: status,
      p_brand: brand,
      p_area: area,
      p_from: from,
      p_before: before,
      p_sort: sort,
      p_after_key: after?.key,
      p_after_at: after?.createdAt,
      p_after_id: after?.id,
      p_limit: limit + 1,
      p_all_versions: query.versions === 'all',
    }),
  );
  const isKeyed = sort !== 'newest' && sort !== 'oldest';
  const { rows, nextCursor } = cutPage(found, limit, isKeyed ? (row) => row.sort_key ?? NO_KEY : undefined);
  return { ids: rows.map(({ id }) => id), nextCursor };
}
