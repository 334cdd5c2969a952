// @module-tag extended
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { callbackResponse } from '@/lib/workflow/callback-schema';
import { apiAt, excerpt, expectProblem } from '@/tests/app/support/api';
import { type ImageState, imageStates, openDatabase } from '@/tests/app/support/database';
import { makeHistories, reportsOf, type Step, type Truth } from '@/tests/app/support/image-histories';
import { cancelJob, refine, reportImage, retryJob, startJob } from '@/tests/app/support/image-jobs';
import { picture, putOutput } from '@/tests/app/support/pictures';
import { inParallel, poll } from '@/tests/app/support/poll';
import { makeTeam, type Team } from '@/tests/app/support/team';
import { seededRandom } from '@/tests/fakes/workflow/modes';

const { url, env } = inject('atelier');
const seed = Number(process.env.ATELIER_SEED ?? Date.now() % 1e9);
const random = seededRandom(seed);
const below = (n: number) => Math.floor(random() * n);

// `tests/sql/image-races.test.ts` tests a thousand rounds on 500 jobs in the database. This test sends fewer reports,
// but over HTTP.
const JOBS = 32;
/**
 * The number of different histories. For each history, one job gets the reports in order, and `JOBS / HISTORIES` other
 * jobs get the same reports together with reports that must be ignored.
 */
const HISTORIES = 16;
const machine = apiAt(url);
const histories = makeHistories(HISTORIES, below);

let team: Team;
let sql: Sql;
let projectId: string;
const file = await picture(64, 64);
let sent = 0;

beforeAll(async () => {
  console.log(`seed of the image callbacks: ${seed}`);
  team = await makeTeam();
  ({ projectId } = team);
  sql = openDatabase();
});
afterAll(() => sql.end());

type SentReport = { truth: Truth; withRun?: boolean; forged?: boolean };

/** Sends one report and returns the response. A forged report must be refused; for such a report, returns null. */
async function sendReport(jobId: string, { truth, withRun = true, forged }: SentReport) {
  const wrong = [undefined, '', 'x'.repeat(43), env.WEBHOOK_SECRET][below(4)];
  const secret = forged ? wrong : env.IMAGE_WEBHOOK_SECRET;
  const body = reportsOf(projectId, jobId).body(truth);
  sent += 1;
  const response = await reportImage(machine, secret, body, withRun ? truth.run : undefined);
  if (forged) {
    expectProblem(response, 'invalid_secret');
    return null;
  }
  expect(response.status, excerpt(response)).toBe(200);
  return callbackResponse.parse(response.body);
}

function shuffled<T>(items: T[]): T[] {
  const order = items.map((item) => ({ item, at: random() }));
  return order.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

const opposite = (truth: Truth): Truth =>
  truth.status === 'failed'
    ? { run: truth.run, status: 'succeeded', outputs: 2 }
    : { run: truth.run, status: 'failed', error: 'contradiction' };

/** Returns one report to send before the true report on a run. It must not be taken for the true report. */
const early = ({ run }: Truth): SentReport[] =>
  shuffled<SentReport>([
    { truth: { run: run + 1 + below(3), status: 'succeeded', outputs: 1 } },
    { truth: { run, status: 'failed', error: 'forged' }, forged: true },
    ...(run > 1 ? [{ truth: { run: run - 1, status: 'succeeded', outputs: 1 } as const }] : []),
  ]).slice(0, 1);

/**
 * Returns one to three reports to send after the true report on a run: repeats, a contradiction, a forgery, or reports
 * about other runs. None of them may change the result of the run.
 */
const noise = (truth: Truth): SentReport[] =>
  shuffled<SentReport>([
    { truth },
    { truth },
    { truth, withRun: false },
    { truth: opposite(truth) },
    { truth: opposite(truth), forged: true },
    { truth: { ...truth, run: truth.run + 1 } },
    ...(truth.run > 1 ? [{ truth: { ...opposite(truth), run: truth.run - 1 } }] : []),
  ]).slice(0, 1 + below(3));

const reportsAbout = (run: number): SentReport[] => [
  { truth: { run, status: 'succeeded', outputs: 1 } },
  { truth: { run, status: 'failed', error: 'late' } },
];

async function untilRunning(jobId: string): Promise<void> {
  await poll('the job is running', async () => {
    const [row] = await sql`select 1 from public.image_jobs where id = ${jobId} and status = 'running'`;
    return row;
  });
}

/** Performs one user action, or lets a deadline pass. */
async function act(jobId: string, step: Exclude<Step, { type: 'report' }>): Promise<void> {
  const { api } = team.editor;
  switch (step.type) {
    case 'retry':
      expect((await retryJob(api, jobId)).status).toBe(202);
      return;
    case 'refine':
      await refine(api, jobId, 'Warmer [silent]');
      return;
    case 'cancel':
      expect((await cancelJob(api, jobId)).status).toBe(200);
      return;
    case 'timeout':
      await untilRunning(jobId);
      await sql`update public.image_jobs set deadline_at = now() - interval '1 second' where id = ${jobId}`;
      await sql`select public.work_reap()`;
  }
}

async function put(jobId: string, step: Step): Promise<void> {
  if (step.type !== 'report' || step.status !== 'succeeded') return;
  for (let i = 1; i <= step.outputs; i += 1) {
    await putOutput({ projectId, jobId, run: step.run, name: `${i}.png` }, file);
  }
}

async function sendInOrder(jobId: string, steps: Step[]): Promise<void> {
  for (const step of steps) {
    if (step.type !== 'report') await act(jobId, step);
    else expect(await sendReport(jobId, { truth: step })).toMatchObject({ applied: true });
  }
}

async function sendShuffled(jobId: string, steps: Step[]): Promise<void> {
  let before: SentReport[] = [];
  for (const step of steps) {
    if (step.type !== 'report') {
      await act(jobId, step);
      if (step.type === 'cancel') {
        const responses = await Promise.all(reportsAbout(step.run).map((sent) => sendReport(jobId, sent)));
        for (const response of responses)
          expect(response).toMatchObject({ applied: false, reason: 'canceled' });
        before = reportsAbout(step.run);
      }
      if (step.type === 'timeout') {
        expect(
          await sendReport(jobId, { truth: { run: step.run, status: 'failed', error: 'late' } }),
        ).toMatchObject({
          applied: false,
          reason: 'late',
        });
      }
      continue;
    }
    await Promise.all(early(step).map((sent) => sendReport(jobId, sent)));
    // The true report races against its own duplicate and against reports about earlier runs.
    const stale = before.filter(({ truth, withRun }) => withRun !== false && truth.run < step.run);
    const [first, second] = await Promise.all([
      sendReport(jobId, { truth: step }),
      sendReport(jobId, { truth: step }),
      ...stale.map((sent) => sendReport(jobId, sent)),
    ]);
    expect([first?.applied, second?.applied].sort()).toEqual([false, true]);
    before = noise(step);
    for (const response of await Promise.all(before.map((sent) => sendReport(jobId, sent)))) {
      if (response) expect(response.applied).toBe(false);
    }
  }
}

/**
 * Returns the final state of a job without the parts that may differ between jobs: its id, the state of its work item,
 * and the prefix of its paths.
 */
const endOf = ({ id, work: _, variants, ...state }: ImageState) => ({
  ...state,
  variants: variants.map(({ path, ...variant }) => ({
    ...variant,
    path: path.slice(reportsOf(projectId, id).prefix.length),
  })),
});

test(`reports on ${JOBS} jobs in any order, doubled, late, stale, after a cancel and forged have the same result as reports in order`, async () => {
  const make = (n: number) =>
    inParallel(Array.from({ length: n }), 6, () => startJob(team.editor.api, { projectId }));
  const inOrder = await make(HISTORIES);
  const wild = await make(JOBS);
  const lanes = [
    ...inOrder.map((jobId, i) => ({ jobId, steps: histories[i] ?? [], sendReport: sendInOrder })),
    ...wild.map((jobId, i) => ({ jobId, steps: histories[i % HISTORIES] ?? [], sendReport: sendShuffled })),
  ];
  await inParallel(lanes, 6, async ({ jobId, steps }) => {
    for (const step of steps) await put(jobId, step);
  });
  await inParallel(shuffled(lanes), 6, ({ jobId, steps, sendReport }) => sendReport(jobId, steps));
  expect(sent).toBeGreaterThanOrEqual(100);

  const settled = (ids: string[]) =>
    poll('all work items are closed', async () => {
      const states = await imageStates(sql, ids);
      return states.every(({ work }) => work !== 'pending') && states;
    });
  const inOrderStates = (await settled(inOrder)).map(endOf);
  const actual = (await settled(wild)).map(endOf);
  expect(actual).toEqual(wild.map((_, i) => inOrderStates[i % HISTORIES]));
  for (const { job, ran } of actual) expect(ran).toBe(job);

  // Each true report was applied exactly once, and only the variants in these reports exist.
  const truths = lanes.flatMap(({ jobId, steps }) =>
    steps.flatMap((step) => (step.type === 'report' ? [{ jobId, ...step }] : [])),
  );
  const ids = lanes.map(({ jobId }) => jobId);
  const applied = await sql<{ subject_id: string; run: number; n: number }[]>`
    select subject_id, run, count(*)::int as n from private.callback_events
     where outcome = 'applied' and subject_id = any (${ids}) group by 1, 2`;
  const key = (id: string, run: number) => `${id} ${run}`;
  expect(applied.map((row) => key(row.subject_id, row.run)).sort()).toEqual(
    truths.map(({ jobId, run }) => key(jobId, run)).sort(),
  );
  expect(applied.every(({ n }) => n === 1)).toBe(true);
  const [variants] = await sql`
    select count(*)::int as n, count(distinct path)::int as paths from public.image_variants where job_id = any (${ids})`;
  const brought = truths.reduce((sum, step) => sum + (step.status === 'succeeded' ? step.outputs : 0), 0);
  expect(variants).toEqual({ n: brought, paths: brought });
  console.log(`${sent} reports on ${ids.length} image jobs`);
});

test('only one of several simultaneous successes and failures of a run is applied', async () => {
  const ids = await inParallel(Array.from({ length: 4 }), 4, () => startJob(team.editor.api, { projectId }));
  await inParallel(ids, 3, async (jobId) => {
    await put(jobId, { type: 'report', run: 1, status: 'succeeded', outputs: 2 });
    const truths = Array.from(
      { length: 6 },
      (_, i): Truth =>
        i % 2 ? { run: 1, status: 'failed', error: `e${i}` } : { run: 1, status: 'succeeded', outputs: 2 },
    );
    const responses = await Promise.all(shuffled(truths).map((truth) => sendReport(jobId, { truth })));
    expect(responses.filter((response) => response?.applied)).toHaveLength(1);
    for (const response of responses) {
      if (!response?.applied) expect(['duplicate', 'conflict']).toContain(response?.reason);
    }
  });
  for (const { job, ran, error, variants } of await imageStates(sql, ids)) {
    expect(ran).toBe(job);
    expect([job, variants.length, error === null]).toEqual(
      job === 'succeeded' ? ['succeeded', 2, true] : ['failed', 0, false],
    );
  }
});

test('a report without a run number applies to the current run, and a report on an unknown job gets 404', async () => {
  const jobId = await startJob(team.editor.api, { projectId });
  const truth: Truth = { run: 1, status: 'failed', error: 'no light' };
  expect(await sendReport(jobId, { truth, withRun: false })).toEqual({
    received: true,
    applied: true,
    status: 'failed',
  });
  const body = { job_id: crypto.randomUUID(), status: 'failed' };
  expectProblem(await reportImage(machine, env.IMAGE_WEBHOOK_SECRET, body), 'not_found');
});
