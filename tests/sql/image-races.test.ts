import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { inParallel } from '@/tests/app/support/poll';
import { seededRandom } from '../fakes/workflow/modes';
import { createTestDatabase } from '../setup/database';

const seed = Number(process.env.ATELIER_SEED ?? Date.now() % 1e9);
const random = seededRandom(seed);

const AT_ONCE = 50;

type Claim = { id: string; subject_id: string; lease_token: string };
type Answer = { outcome: string; run?: number };

const output = (jobId: string, run: number) =>
  ['a', 'b'].map((variant_id) => ({
    variant_id,
    path: `images/${jobId}/${run}/${variant_id}`,
    thumb_path: null,
    meta: null,
    width: 64,
    height: 64,
  }));

/** Returns, in random order, the calls that may reach a job concurrently. */
function moves(sql: Sql, jobId: string, run: number, { id, lease_token }: Claim, round: number) {
  const deadline = new Date(Date.now() + (round % 3 === 0 ? -1_000 : 60_000));
  const call = (query: Promise<{ answer: Answer }[]>) => query.then(([row]) => row?.answer);
  const outputs = sql.json(output(jobId, run));
  const report = round % 4;
  const all = [
    () => sql`select public.work_dispatched(${id}, ${lease_token}, ${deadline})`.then(() => undefined),
    () =>
      sql`select public.work_failed(${id}, ${lease_token}, 'unreachable', 'HTTP 503', ${round % 2 === 0})`.then(
        () => undefined,
      ),
    () => sql`select public.work_reap()`.then(() => undefined),
    () => call(sql`select public.apply_image_callback(${jobId}, 'succeeded', ${run}, ${outputs}) as answer`),
    () => call(sql`select public.apply_image_callback(${jobId}, 'succeeded', null, ${outputs}) as answer`),
    () => call(sql`select public.apply_image_callback(${jobId}, 'succeeded', ${run}, null) as answer`),
    () => call(sql`select public.apply_image_callback(${jobId}, 'failed', ${run}, null, 'no') as answer`),
    () => call(sql`select public.cancel_image_job(${jobId}) as answer`),
    () => call(sql`select public.send_image_message(null, ${jobId}, 'Warmer') as answer`),
    () => call(sql`select public.send_image_message(null, ${jobId}, 'Darker', 'b') as answer`),
    () => call(sql`select public.retry_image_job(${jobId}) as answer`),
    () => sql`select public.report_image_progress(${jobId}, 600, 3600, ${run}, 0.5)`.then(() => undefined),
  ];
  // Omit one of the four callbacks, a different one each round.
  const here = all.filter((_, i) => i < 3 || i > 6 || (i + report) % 4 !== 0);
  return here.map((move) => ({ move, at: random() })).sort((a, b) => a.at - b.at);
}

async function createJobs(sql: Sql, projectId: string, n: number): Promise<string[]> {
  return inParallel(Array.from({ length: n }), 10, async () => {
    const [row] = await sql`select public.create_image_job(null, ${projectId}, 'A lobby') as answer`;
    return String(row?.answer.job_id);
  });
}

type Tally = { created: number; retried: number; applied: number; runs: Map<string, number> };

const title =
  'in %i rounds, concurrent cancels, callbacks, messages, dispatches, retries and reaps cause no deadlock and no inconsistent record';

async function race(rounds: number): Promise<void> {
  console.log(`seed of the image races: ${seed}`);
  const { sql, drop } = await createTestDatabase();
  onTestFinished(drop);
  const [project] = await sql`insert into public.projects (name) values ('Races') returning id`;
  const projectId: string = project?.id;
  const tally: Tally = { created: 0, retried: 0, applied: 0, runs: new Map() };
  for (let batch = 0; batch < rounds / AT_ONCE; batch += 1) {
    // Each job gets two rounds; the second continues from the run in which the first ended.
    const ids = await createJobs(sql, projectId, AT_ONCE / 2);
    for (const id of ids) tally.runs.set(id, 1);
    for (const storm of [0, 1]) {
      const claims = await sql<(Claim & { run: number })[]>`
        select id, subject_id, run, lease_token from public.work_claim(array['image_dispatch'], 'races', 1000, 30)`;
      // Put every fifth item into its last attempt, with an expired lease. All of these leases expired at the same
      // time.
      await sql`update private.work_items set attempts = max_attempts, visible_at = date_trunc('minute', now())
                 where id = any (${claims.filter((_, i) => i % 5 === 0).map(({ id }) => id)})`;
      const rows = await sql<{ id: string; run: number }[]>`
        select id, run from public.image_jobs where id = any (${ids})`;
      const nobody = { id: '0', subject_id: '', lease_token: randomUUID() };
      await Promise.all(
        rows.flatMap(({ id, run }, i) => {
          const claim = claims.find((item) => item.subject_id === id) ?? nobody;
          return moves(sql, id, run, claim, batch * AT_ONCE + storm * 25 + i).map(async ({ move }) => {
            const response = await move();
            if (response?.outcome === 'created') tally.created += 1;
            if (response?.outcome === 'retried') tally.retried += 1;
            if (response?.outcome === 'applied') tally.applied += 1;
            if (response?.run && ['created', 'retried'].includes(response.outcome)) {
              tally.runs.set(id, Math.max(tally.runs.get(id) ?? 0, response.run));
            }
          });
        }),
      );
    }
  }
  console.log(
    `${rounds} storms: ${tally.applied} results, ${tally.created} messages, ${tally.retried} retries`,
  );
  for (const n of [tally.created, tally.retried, tally.applied]) expect(n).toBeGreaterThan(rounds / 10);
  await expectCompleteRecords(sql, rounds, tally);
}

test.each([100])(title, race);
test.each([1_000])(title, { tags: ['extended'] }, race);

async function expectCompleteRecords(
  sql: Sql,
  rounds: number,
  { runs, created, retried }: Tally,
): Promise<void> {
  const none = async (what: string, rows: PromiseLike<readonly unknown[]>) =>
    expect(await rows, what).toHaveLength(0);
  await none(
    'the run agrees with the job',
    sql`select j.id from public.image_jobs j left join public.image_runs r on r.job_id = j.id and r.run = j.run
         where (r.status, r.error_code, r.error, r.finished_at) is distinct from (j.status, j.error_code, j.error, j.finished_at)`,
  );
  await none(
    'at most one run is open, and it is the last',
    sql`select r.job_id from public.image_runs r join public.image_jobs j on j.id = r.job_id
         where r.status in ('queued', 'running') and r.run <> j.run`,
  );
  await none(
    'runs are counted without a gap',
    sql`select j.id from public.image_jobs j join public.image_runs r on r.job_id = j.id
         group by j.id having count(*) <> j.run or max(r.run) <> j.run`,
  );
  await none(
    'work is pending if and only if its run is queued',
    sql`select w.id from public.image_runs r
          full join private.work_items w on w.kind = 'image_dispatch' and w.subject_id = r.job_id and w.run = r.run
         where r.run is null or w.id is null or (w.state = 'pending') <> (r.status = 'queued')`,
  );
  await none(
    'a run has its two variants if and only if it succeeded',
    sql`select r.job_id from public.image_runs r left join public.image_variants v on v.job_id = r.job_id and v.run = r.run
         group by r.job_id, r.run, r.status having count(v.*) <> case r.status when 'succeeded' then 2 else 0 end`,
  );
  await none(
    'each message has a run, and each run a message of its job',
    sql`select m.id from public.image_messages m full join public.image_runs r on r.message_id = m.id
         where m.id is null or r.run is null or m.job_id <> r.job_id`,
  );
  await none(
    'a message refines a variant that was there before its first run',
    sql`select m.id from public.image_messages m
         where m.variant_id is not null and not exists (
           select 1 from public.image_variants v where v.job_id = m.job_id and v.variant_id = m.variant_id
              and v.run = m.variant_run and v.run < (select min(r.run) from public.image_runs r where r.message_id = m.id))`,
  );
  await none(
    'every change was broadcast once, in order',
    sql`select j.id from public.image_jobs j
          join realtime.messages m on m.topic = 'image-job:' || j.id
         group by j.id having count(distinct m.payload ->> 'statusSeq') <> j.status_seq or count(*) <> j.status_seq`,
  );
  await none(
    'no run has two results',
    sql`select 1 from private.callback_events where outcome = 'applied' and status <> 'running'
         group by subject_id, run having count(*) > 1`,
  );
  const jobs = await sql<{ id: string; run: number }[]>`select id, run from public.image_jobs`;
  expect(jobs).toHaveLength(rounds / 2);
  // All runs that were started exist, and no others.
  expect(jobs.reduce((sum, { run }) => sum + run, 0)).toBe(jobs.length + created + retried);
  for (const { id, run } of jobs) expect(run).toBe(runs.get(id));
}
