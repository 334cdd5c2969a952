import type { Sql } from 'postgres';
import { poll } from '@/tests/app/support/poll';

/** The part of the fake workflow service's `/control` response that the tests use. */
export type WorkflowRecords = {
  counts: { underWay: number };
  triggers: { mode: string }[];
  /** Ids of the specs and image jobs whose callbacks the service gave up on. */
  undelivered: string[];
};

/** Accepted work that has not finished. */
export type Open = { what: string; id: string; status: string; since: string };

/** Lists all accepted work that has not finished. */
export const openWork = (sql: Sql) => sql<Open[]>`
  select 'work item' as what, subject_id as id, kind || ' ' || state as status, created_at::text as since
    from private.work_items where state = 'pending'
  union all select 'spec upload', id, processing_status, updated_at::text
    from public.spec_uploads where processing_status in ('pending', 'processing')
  union all select 'image job', id, status, updated_at::text
    from public.image_jobs where status in ('queued', 'running')
  union all select 'export', id, status, updated_at::text
    from public.export_jobs where status = 'processing'`;

/**
 * Waits until all accepted work has finished. If the workflow service gave up on the callback for a spec or an image
 * job, that spec or job can only time out, so `endAll` sets its deadline to now. Returns the ids of the specs and jobs
 * whose callbacks the service gave up on. If a wait exceeds the time limit of `poll`, throws an error that names up to
 * ten of the unfinished items.
 */
export async function endAll(sql: Sql, workflow: () => Promise<WorkflowRecords>): Promise<Set<string>> {
  let left: Open[] = [];
  const givenUp = new Set<string>();
  const until = async (what: string, hasEnded: () => boolean) => {
    const readRecords = async () => {
      const { counts, undelivered } = await workflow();
      for (const each of undelivered) givenUp.add(each);
      left = await openWork(sql);
      return counts.underWay === 0 && hasEnded();
    };
    await poll(what, readRecords, { everyMs: 250 }).catch((error: Error) => {
      const named = left.slice(0, 10).map((each) => Object.values(each).join(' '));
      throw new Error(`${error.message}; ${left.length} open: ${named.join(', ')}`, { cause: error.cause });
    });
  };
  await until('all ends but what was given up', () =>
    left.every(({ what, id }) => (what === 'spec upload' || what === 'image job') && givenUp.has(id)),
  );
  const ids = left.map(({ id }) => id);
  await sql`update public.spec_uploads set deadline_at = now() where id = any (${ids})`;
  await sql`update public.image_jobs set deadline_at = now() where id = any (${ids})`;
  await until('what was given up ends at its deadline', () => left.length === 0);
  return givenUp;
}
