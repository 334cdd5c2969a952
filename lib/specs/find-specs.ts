import { z } from 'zod';
import { timesOf } from '@/lib/http/day';
import { cutPage, decodeCursor, decodeKeyedCursor, type KeyedKeyset, type Keyset } from '@/lib/http/page';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { Db } from '@/lib/supabase/request';
import { hasWords } from './passage';
import { type SpecFilters, type SpecSort, type SpecStatus, specStatus } from './schema';
import { specRow } from './spec-row';

export type PageOfSpecs = SpecFilters & {
  status?: SpecStatus;
  sort?: SpecSort;
  cursor?: string;
  limit: number;
};

/** Returns the sort order to use. The default is `match`. Without search words, `newest` replaces `match`. */
function orderOf({ sort, q }: PageOfSpecs): SpecSort {
  if (sort && sort !== 'match') return sort;
  return hasWords(q ?? '') ? 'match' : 'newest';
}

/**
 * Replaces a missing sort key in a cursor. Rows sorted by `match` have no sort key if the database finds no words in
 * the search `q`.
 */
export const NO_KEY = '0';

/** Returns the position of the row that the cursor encodes. Throws `invalid_request`. */
function positionOf(sort: SpecSort, cursor: string): Keyset & Partial<KeyedKeyset> {
  return sort === 'newest' || sort === 'oldest' ? decodeCursor(cursor) : decodeKeyedCursor(cursor);
}

const foundSpecs = z.object({
  specs: z.array(
    z.object({
      id: z.string(),
      created_at: z.string(),
      sort_key: z.string().nullable(),
      page: z.int().nullable(),
      text: z.string().nullable(),
      spec: specRow.nullable(),
    }),
  ),
  counts: z.partialRecord(specStatus, z.int()),
  isExact: z.boolean(),
});
export type FoundSpecs = z.infer<typeof foundSpecs> & { nextCursor: string | null };

/**
 * Returns one page of matching specs, the cursor for the next page, and the number of specs per status. The numbers are
 * counted with all filters except the status. If `isExact` is false, a number of a search stopped at 1,000. A spec found
 * by the text of its PDF includes the number and text of a matching page. With `isOnlyIds`, leaves out the details of the
 * specs, their matching pages and the counts. Throws `invalid_request` or `unavailable`.
 */
export async function findSpecs(db: Db, query: PageOfSpecs, isOnlyIds = false): Promise<FoundSpecs> {
  const { status, brand, area, q, cursor, limit } = query;
  const { from, before } = timesOf(query);
  const sort = orderOf(query);
  const after = cursor ? positionOf(sort, cursor) : undefined;
  const args = {
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
    p_is_only_ids: isOnlyIds,
  };
  const { specs, counts, isExact } = await callRpc('find_specs', args, foundSpecs, db);
  const isKeyed = sort !== 'newest' && sort !== 'oldest';
  const { rows, nextCursor } = cutPage(specs, limit, isKeyed ? (row) => row.sort_key ?? NO_KEY : undefined);
  return { specs: rows, counts, isExact, nextCursor };
}
