import type { Sql } from 'postgres';
import { apiAt } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { reportImage, startJob } from '@/tests/app/support/image-jobs';
import { liveClient } from '@/tests/app/support/live-client';
import { signIn } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { makeProject } from '@/tests/app/support/team';
import { withAtelier } from '@/tests/bench/atelier';
import type { BenchRow } from '@/tests/bench/row';
import { quantile } from '@/tests/bench/timing';

const BAR_MS = 250;
const ROUNDS = 100;

const ms = (values: number[]) =>
  `${quantile(values, 0.5).toFixed(0)}/${quantile(values, 0.95).toFixed(0)} ms`;

async function allRunning(sql: Sql, ids: string[]): Promise<void> {
  await poll('all jobs are running', async () => {
    const open = await sql`select 1 from public.image_jobs where id = any (${ids}) and status <> 'running'`;
    return open.length === 0;
  });
}

/**
 * Measures how long the event of a workflow callback takes to reach a member's client. Measures this time from two
 * moments: when the workflow service sends the callback, and when the service receives the response. For comparison,
 * also measures a bare `realtime.send` in the database, on the same topic and to the same client.
 */
export const callbackToClient: BenchRow = {
  name: 'callback-to-client',
  isAbsolute: true,
  run: () =>
    withAtelier(async ({ url, env, databaseUrl }) => {
      const person = await signIn(env, 'member@atelier.test');
      const api = apiAt(url, person.headers);
      const sql = openDatabase(databaseUrl);
      const live = liveClient(env, person);
      try {
        const projectId = await makeProject(api, 'Bench');
        const ids: string[] = [];
        for (let i = 0; i < ROUNDS; i += 1) ids.push(await startJob(api, { projectId }));
        await allRunning(sql, ids);
        let isJoined = false;
        const events = await live.follow(`project:${projectId}`, () => {
          isJoined = true;
        });
        await poll('the client has joined', async () => isJoined);
        const sent: number[] = [];
        const responded: number[] = [];
        const bare: number[] = [];
        for (const jobId of ids) {
          const begin = performance.now();
          const { status } = await reportImage(
            apiAt(url),
            env.IMAGE_WEBHOOK_SECRET,
            { job_id: jobId, status: 'failed', error: 'bench' },
            1,
          );
          const accepted = performance.now();
          if (status !== 200) throw new Error(`returned ${status}`);
          const received = await poll(
            'the event',
            async () => events.find((event) => event.jobId === jobId),
            {
              everyMs: 2,
            },
          );
          sent.push(received.at - begin);
          responded.push(received.at - accepted);

          const echo = crypto.randomUUID();
          const from = performance.now();
          await sql`select realtime.send(${sql.json({ jobId: echo, status: 'bare', statusSeq: 1, run: 1, progress: null })}, 'job',
            ${`project:${projectId}`}, true)`;
          const reply = await poll('the echo', async () => events.find((event) => event.jobId === echo), {
            everyMs: 2,
          });
          bare.push(reply.at - from);
        }
        const held = quantile(sent, 0.95);
        return {
          measured: `${ms(sent)} sent, ${ms(responded)} response, bare ${ms(bare)}`,
          bar: `p95 <= ${BAR_MS} ms`,
          holds: held <= BAR_MS,
        };
      } finally {
        await live.end();
        await sql.end();
      }
    }),
};
