import { apiAt } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { signIn } from '@/tests/app/support/people';
import { makeProject } from '@/tests/app/support/team';
import { withAtelier } from '@/tests/bench/atelier';
import { fillJobs } from '@/tests/bench/fill-jobs';
import type { BenchRow } from '@/tests/bench/row';
import { interleaved, quantile } from '@/tests/bench/timing';

const BAR = 1.3;
const ROUNDS = 200;

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
        await fillJobs(sql, many, 1_000_000);
        await fillJobs(sql, few, 1_000);
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
