import { setTimeout as sleep } from 'node:timers/promises';
import { apiAt } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { anExport, onePage } from '@/tests/app/support/exports';
import { startJob } from '@/tests/app/support/image-jobs';
import { liveClient } from '@/tests/app/support/live-client';
import { newUser, signIn } from '@/tests/app/support/people';
import { inParallel, poll } from '@/tests/app/support/poll';
import { makeProject } from '@/tests/app/support/team';
import { withAtelier } from '@/tests/bench/atelier';
import type { BenchRow } from '@/tests/bench/row';
import { quantile } from '@/tests/bench/timing';

const JOBS = 300;
const EXPORTS = 60;
/** The embedded backend accepts 100 connections of an account. */
const [VIEWERS, TABS] = [5, 100];
const LISTENERS = VIEWERS * TABS;
const EVENTS = 40;

/**
 * Measures one machine that runs everything, including the fake workflow service. First counts image jobs per second,
 * from the first API call until all variants of every job are checked and stored. Then counts one-page exports per
 * minute, from the first API call until all PDFs are stored. Also measures the time until an event reaches the last of
 * many listeners.
 */
export const capacity: BenchRow = {
  name: 'capacity',
  isAbsolute: true,
  run: () =>
    withAtelier(async ({ url, env, databaseUrl }) => {
      const person = await signIn(env, 'member@atelier.test');
      const api = apiAt(url, person.headers);
      const sql = openDatabase(databaseUrl);
      const open = async (table: string, states: string[]) => {
        const [row] = await sql<{ n: number }[]>`
          select count(*)::int as n from ${sql(table)} where status = any (${states})`;
        return row?.n === 0;
      };
      try {
        const projectId = await makeProject(api, 'Bench');
        await fetch(env.SPEC_WORKFLOW_URL?.replace(/\/spec$/, '/control') ?? '', {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ delayMs: 0 }),
        });
        const perSecond = async (n: number, start: () => Promise<unknown>, done: () => Promise<boolean>) => {
          const begin = performance.now();
          await inParallel(Array.from({ length: n }), 8, start);
          await poll('all work has ended', done);
          return n / ((performance.now() - begin) / 1_000);
        };
        const jobs = await perSecond(
          JOBS,
          () => startJob(api, { projectId, prompt: 'A lobby' }),
          () => open('image_jobs', ['queued', 'running']),
        );
        const exports = await perSecond(
          EXPORTS,
          () => anExport(api, { projectId, pages: [onePage()] }),
          () => open('export_jobs', ['processing']),
        );

        let joined = 0;
        const ofViewers = await inParallel(Array.from({ length: VIEWERS }), VIEWERS, async () => {
          const viewer = await newUser(env, 'viewer');
          const json = { email: viewer.email, role: 'viewer' };
          await api(`/api/projects/${projectId}/members`, { json });
          return Array.from({ length: TABS }, () => liveClient(env, viewer));
        });
        const clients = ofViewers.flat();
        const events = await inParallel(clients, 20, (client) =>
          client.follow(`project:${projectId}`, () => {
            joined += 1;
          }),
        );
        await poll('all clients have joined', async () => joined >= LISTENERS);
        const late: number[] = [];
        for (let n = 0; n < EVENTS; n += 1) {
          const jobId = crypto.randomUUID();
          const payload = { jobId, status: 'bare', statusSeq: 1, run: 1, progress: null };
          const from = performance.now();
          await sql`select realtime.send(${sql.json(payload)}, 'job', ${`project:${projectId}`}, true)`;
          const received = await poll('the event everywhere', async () => {
            const at = events.map((each) => each.find((event) => event.jobId === jobId)?.at ?? Number.NaN);
            return !at.some(Number.isNaN) && at;
          });
          late.push(Math.max(...received) - from);
          await sleep(50);
        }
        await Promise.all(clients.map((client) => client.end()));
        return {
          measured:
            `${jobs.toFixed(1)} image jobs/s, ${(exports * 60).toFixed(0)} exports/min, the last of ${LISTENERS} ` +
            `listeners after ${quantile(late, 0.5).toFixed(0)}/${quantile(late, 0.95).toFixed(0)} ms`,
        };
      } finally {
        await sql.end();
      }
    }),
};
