import type { Sql } from 'postgres';
import { expect } from 'vitest';
import { imageStates } from '@/tests/app/database';
import { reasons } from '@/tests/soak/invariants/specs';
import type { Ledger } from '@/tests/soak/options';

/**
 * Each accepted image job is there once with one result, and no other; the four variants of each success have their
 * files. Answers how many succeeded.
 */
export async function expectWholeJobs(sql: Sql, { jobs: ids, givenUp }: Ledger): Promise<number> {
  expect(new Set(ids).size).toBe(ids.length);
  const rows = await sql<{ id: string }[]>`select id from public.image_jobs`;
  expect(rows.map(({ id }) => id).sort()).toEqual([...ids].sort());
  const states = await imageStates(sql, ids);
  expect(states).toHaveLength(ids.length);
  for (const { id, job, ran, run, error_code, variants } of states) {
    expect([ran, run], id).toEqual([job, 1]);
    const names = variants.map(({ variant_id }) => variant_id);
    if (job === 'succeeded') expect(names, id).toEqual(['r1-v1', 'r1-v2', 'r1-v3', 'r1-v4']);
    else {
      expect(job, id).toBe('failed');
      expect(reasons(givenUp.has(id)), id).toContain(error_code);
      expect(names, id).toEqual([]);
    }
  }
  const lost = await sql`
    select v.path from public.image_variants v cross join lateral (values (v.path), (v.thumb_path)) f (path)
     where not exists (select 1 from storage.objects o where o.bucket_id || '/' || o.name = f.path)`;
  expect(lost).toHaveLength(0);
  return states.filter(({ job }) => job === 'succeeded').length;
}
