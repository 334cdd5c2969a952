import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { expect } from 'vitest';
import { startedAnswer } from '@/lib/image-gen/schema';
import { type Api, excerpt } from '@/tests/app/api';
import { imageStates } from '@/tests/app/database';
import { sendJob } from '@/tests/app/image-jobs';
import { poll } from '@/tests/app/poll';

/** Starts an image job as a careful client does: the same key until there is an answer that is one. Answers the id. */
export function persistJob(api: Api, projectId: string): Promise<string> {
  const key = { 'idempotency-key': randomUUID() };
  return poll(
    'an image job',
    async () => {
      const answer = await sendJob(api, { projectId, prompt: 'A lobby in a storm' }, key);
      if (answer.status === 503 || answer.status === 500) return undefined;
      expect(answer.status, excerpt(answer)).toBe(202);
      return startedAnswer.parse(answer.body).jobId;
    },
    { timeoutMs: 120_000, everyMs: 100 },
  );
}

/** Waits until no image job is open any more. */
export async function untilJobsEnd(sql: Sql): Promise<void> {
  await poll(
    'every image job ends',
    async () => {
      const open = await sql`
        select 1 from public.image_jobs j join private.work_items w on w.subject_id = j.id
         where j.status in ('queued', 'running') or w.state = 'pending'`;
      return open.length === 0;
    },
    { timeoutMs: 150_000, everyMs: 250 },
  );
}

/** Expects each of these jobs there once with one result, and the four variants of each success with their files. */
export async function expectWholeJobs(sql: Sql, ids: string[]): Promise<{ succeeded: number }> {
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
      expect(['workflow_failed', 'unreachable'], id).toContain(error_code);
      expect(names, id).toEqual([]);
    }
  }
  const lost = await sql`
    select v.path from public.image_variants v cross join lateral (values (v.path), (v.thumb_path)) f (path)
     where not exists (select 1 from storage.objects o where o.bucket_id || '/' || o.name = f.path)`;
  expect(lost).toHaveLength(0);
  return { succeeded: states.filter(({ job }) => job === 'succeeded').length };
}
