import type { Sql } from 'postgres';
import { apiAt } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { signIn } from '@/tests/app/support/people';
import { makeProject } from '@/tests/app/support/team';
import { withAtelier } from '@/tests/bench/atelier';
import type { BenchRow } from '@/tests/bench/row';
import { interleaved, quantile } from '@/tests/bench/timing';

const BAR = 1.3;
const ROUNDS = 200;
const STATUSES = ['succeeded', 'failed', 'canceled'];

/**
 * Inserts jobs into a project, with triggers disabled. Each job has a message, a run and, if it succeeded, one variant.
 */
async function fill(sql: Sql, projectId: string, jobs: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      create temporary table filled on commit drop as
      select gen_random_uuid() as id, gen_random_uuid() as message_id, i,
             now() - make_interval(secs => i) as at, (${STATUSES}::text[])[1 + i % 3] as status
        from generate_series(1, ${jobs}) i`;
    await tx`
      insert into public.image_jobs (id, project_id, prompt, status, error_code, created_at, updated_at, finished_at)
      select id, ${projectId}, 'A lobby ' || i, status, case status when 'failed' then 'workflow_failed' end, at, at, at
        from filled`;
    await tx`insert into public.image_messages (id, job_id, ordinal, prompt, created_at)
             select message_id, id, 1, 'A lobby ' || i, at from filled`;
    await tx`insert into public.image_runs (job_id, run, message_id, status, created_at, finished_at)
             select id, 1, message_id, status, at, at from filled`;
    await tx`
      insert into public.image_variants (job_id, run, variant_id, position, path, width, height, created_at)
      select id, 1, 'v1', 1, 'images/projects/' || ${projectId} || '/jobs/' || id || '/1/1', 1024, 1024, at
        from filled where status = 'succeeded'`;
  });
}

/**
 * Times three lists of a project's jobs: the first page, the first page of failed jobs, and a page from the middle.
 * Compares a project of a million jobs with one of a thousand.
 */
export const listMillion: BenchRow = {
  name: 'list-1m',
  run: () =>
    withAtelier(async ({ url, env, databaseUrl }) => {
      const api = apiAt(url, (await signIn(env, 'member@atelier.test')).headers);
      const sql = openDatabase(databaseUrl);
      try {
        const many = await makeProject(api, 'A million');
        const few = await makeProject(api, 'A thousand');
        await fill(sql, many, 1_000_000);
        await fill(sql, few, 1_000);
        await sql`analyze public.image_jobs, public.image_runs, public.image_messages, public.image_variants`;
        const listing = (projectId: string, query: string) => async () => {
          const { status, body, text } = await api(
            `/api/image-gen/jobs?projectId=${projectId}&limit=20&${query}`,
          );
          const { jobs } = body as { jobs?: unknown[] };
          if (status !== 200 || jobs?.length !== 20) throw new Error(`returned ${status} ${text}`);
        };
        const middle = async (projectId: string, share: number) => {
          const [row] = await sql`
            select to_json(created_at) as at, id from public.image_jobs where project_id = ${projectId}
             order by created_at desc offset ${share} limit 1`;
          return `cursor=${btoa(JSON.stringify([row?.at, row?.id]))}`;
        };
        const cases: [string, string, string][] = [
          ['first', '', ''],
          ['failed', 'status=failed', 'status=failed'],
          ['middle', await middle(many, 500_000), await middle(few, 500)],
        ];
        const ratios: number[] = [];
        const words: string[] = [];
        for (const [name, ofMany, ofFew] of cases) {
          await interleaved(20, listing(many, ofMany), listing(few, ofFew));
          const [large, small] = await interleaved(ROUNDS, listing(many, ofMany), listing(few, ofFew));
          const ratio = quantile(large, 0.5) / quantile(small, 0.5);
          ratios.push(ratio);
          words.push(`${name} ${ratio.toFixed(2)} × (${quantile(large, 0.5).toFixed(0)} ms)`);
        }
        return {
          measured: words.join(', '),
          bar: `<= ${BAR} ×`,
          holds: ratios.every((ratio) => ratio <= BAR),
        };
      } finally {
        await sql.end();
      }
    }),
};
