import type { Sql } from 'postgres';
import { expect } from 'vitest';
import { imageStates } from '@/tests/app/support/database';
import { reasons } from '@/tests/soak/invariants/specs';
import type { Ledger } from '@/tests/soak/options';

/**
 * Expects that exactly the accepted image jobs exist, each with the requested number of runs and the status of its last
 * run. Also expects that each successful run has four variants, and that the files of all variants exist. Returns the
 * number of jobs that succeeded.
 */
export async function expectCompleteJobs(sql: Sql, { jobs, givenUp }: Ledger): Promise<number> {
  const expected = new Map(jobs.map((job) => [job.id, job]));
  expect(expected.size).toBe(jobs.length);
  const rows = await sql<{ id: string }[]>`select id from public.image_jobs`;
  expect(rows.map(({ id }) => id).sort()).toEqual([...expected.keys()].sort());
  const states = await imageStates(sql, [...expected.keys()]);
  expect(states).toHaveLength(jobs.length);
  for (const { id, job, ran, run, error_code, variants } of states) {
    expect([ran, run], id).toEqual([job, expected.get(id)?.runs]);
    const byRun = Map.groupBy(variants, (variant) => variant.run);
    expect(byRun.has(run), id).toBe(job === 'succeeded');
    for (const [number, those] of byRun) {
      const names = those.map(({ variant_id }) => variant_id);
      expect(names, id).toEqual([1, 2, 3, 4].map((n) => `r${number}-v${n}`));
    }
    if (job === 'canceled') expect(expected.get(id)?.cancelRequested, id).toBe(true);
    else if (job !== 'succeeded') {
      expect(job, id).toBe('failed');
      expect(reasons(givenUp.has(id)), id).toContain(error_code);
    }
  }
  const lost = await sql`
    select v.path from public.image_variants v cross join lateral (values (v.path), (v.thumb_path)) f (path)
     where not exists (select 1 from storage.objects o where o.bucket_id || '/' || o.name = f.path)`;
  expect(lost).toHaveLength(0);
  return states.filter(({ job }) => job === 'succeeded').length;
}
