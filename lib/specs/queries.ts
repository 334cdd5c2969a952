import { callRpc } from '@/lib/supabase/call-rpc';
import type { Db } from '@/lib/supabase/request';
import { findSpecs } from './find-specs';
import { passageOf } from './passage';
import type { ListSpecsQuery, Spec, SpecMatch, SpecsResponse } from './schema';
import { specRow, specsOf } from './spec-row';

/**
 * Returns one page of matching specs, and the number of specs per status. The numbers are counted with all filters
 * except the status. Throws `invalid_request` or `unavailable`.
 */
export async function listSpecs(db: Db, query: ListSpecsQuery): Promise<SpecsResponse> {
  const { specs, counts, isExact, nextCursor } = await findSpecs(db, query);
  const matches = specs.flatMap(({ id, page, text }): [string, SpecMatch][] =>
    page === null || text === null ? [] : [[id, { page, ...passageOf(text, query.q ?? '') }]],
  );
  // `spec` is never null here. `findSpecs` leaves it out only with `isOnlyIds`.
  const rows = specs.map(({ spec }) => spec).filter((spec) => spec !== null);
  return {
    specs: await specsOf(rows, new Map(matches)),
    counts: { pending: 0, processing: 0, completed: 0, failed: 0, ...counts },
    countsAreMinimums: !isExact,
    nextCursor,
  };
}

/**
 * Returns one spec with its attempts, or null if the user of `db` cannot see a spec with this id. Throws `unavailable`.
 */
export async function getSpec(db: Db, id: string): Promise<Spec | null> {
  const row = await callRpc('read_spec', { p_id: id }, specRow.nullable(), db);
  return row ? ((await specsOf([row]))[0] ?? null) : null;
}
