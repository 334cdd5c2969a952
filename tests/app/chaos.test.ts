import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uploadAnswer } from '@/lib/specs/schema';
import { type Atelier, startAtelier } from '@/supabase/local/atelier';
import { type Answer, apiAt, excerpt } from '@/tests/app/api';
import { expectWholeJobs, persistJob, untilJobsEnd } from '@/tests/app/chaos-images';
import { makeProject } from '@/tests/app/crew';
import { openDatabase, specStates } from '@/tests/app/database';
import { newAdmin, type Person } from '@/tests/app/people';
import { inParallel, poll } from '@/tests/app/poll';
import { sendUpload } from '@/tests/app/specs';
import { seededRandom, type Weights } from '@/tests/fakes/workflow/modes';
import { makePdf } from '@/tests/pdf/make-pdf';
import { freePorts } from '@/tests/setup/free-ports';
import { makeDataDir } from '@/tests/setup/temporary-dir';

const full = process.env.ATELIER_CHAOS === 'full';
const { uploads, jobs, appKills, workerKills } = full
  ? { uploads: 400, jobs: 150, appKills: 14, workerKills: 10 }
  : { uploads: 300, jobs: 60, appKills: 10, workerKills: 6 };
const seed = Number(process.env.ATELIER_SEED ?? Date.now() % 1e9);

/** 30 of 100 triggers are answered in a faulty way, each try anew; 8 of 100 results are failures, and 12 repeat or lie. */
const weights: Weights = {
  ok: 50,
  fail: 8,
  twice: 6,
  conflict: 3,
  garbage: 3,
  flaky: 8,
  unavailable: 9,
  reset: 8,
  'lost-answer': 4,
  hang: 1,
};
const faults = ['flaky', 'unavailable', 'reset', 'lost-answer', 'hang'];

let atelier: Atelier;
let dataDir: Awaited<ReturnType<typeof makeDataDir>>;
let sql: Sql;
let admin: Person;
let projectId: string;
let worker: ChildProcess | undefined;

const control = () => atelier.env.SPEC_WORKFLOW_URL?.replace(/\/spec$/, '/control') ?? '';

function startWorker(): ChildProcess {
  const env = { ...process.env, ...atelier.env, NODE_ENV: 'production' } as NodeJS.ProcessEnv;
  return spawn(process.execPath, ['--import', 'tsx', 'app/worker.ts'], { env, stdio: 'ignore' });
}

async function kill(process: ChildProcess): Promise<void> {
  const gone = once(process, 'exit');
  if (process.kill('SIGKILL')) await gone;
}

beforeAll(async () => {
  console.log(`seed of the chaos: ${seed}`);
  dataDir = await makeDataDir();
  const env = {
    ATELIER_LOCAL_FSYNC: 'off',
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_COSTLY: '100000',
    RATE_LIMIT_OTHER: '100000',
  };
  const distDir = process.env.ATELIER_DIST_DIR || '.next';
  atelier = await startAtelier({ ...(await freePorts()), dataDir: dataDir.path, distDir, env });
  sql = openDatabase(atelier.databaseUrl);
  admin = await newAdmin(atelier.env);
  projectId = await makeProject(apiAt(atelier.url, admin.headers));
  const answer = await fetch(control(), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ weights, seed, delayMs: 100, times: 1 }),
  });
  expect(answer.status).toBe(200);
}, 240_000);

afterAll(async () => {
  if (worker) await kill(worker);
  await sql?.end();
  await atelier?.stop();
  await dataDir?.remove();
}, 60_000);

/** Uploads as a careful client does: the same key until there is an answer that is one. Answers the id. */
async function persist(index: number): Promise<string> {
  const file = await makePdf({ sections: 1 + (index % 4) });
  const key = { 'idempotency-key': randomUUID() };
  let last = '';
  return poll(
    `upload ${index}`,
    async () => {
      const answer: Answer = await sendUpload(apiAt(atelier.url, admin.headers), { file }, key);
      last = `${answer.status} ${excerpt(answer)}`;
      if (answer.status === 503 || answer.status === 500) return undefined;
      expect(answer.status, last).toBe(202);
      return uploadAnswer.parse(answer.body).specUploadId;
    },
    { timeoutMs: 120_000, everyMs: 100 },
  );
}

test(`${uploads} uploads and ${jobs} image jobs survive ${appKills} kills of the app and ${workerKills} of the worker`, async () => {
  const random = seededRandom(seed);
  let accepted = 0;
  const uploading = inParallel(Array.from({ length: uploads }), 4, async (_, i) => {
    const id = await persist(i);
    accepted += 1;
    return id;
  });

  const starting = inParallel(Array.from({ length: jobs }), 2, async (_, i) => {
    // Spread over the uploads, so that every kill meets some.
    const uploaded = async () => accepted >= Math.floor((uploads * i) / jobs);
    await poll('more uploads', uploaded, { timeoutMs: 120_000 });
    return persistJob(apiAt(atelier.url, admin.headers), projectId);
  });

  const pause = () => sleep(200 + random() * 600);
  const killApp = async () => {
    for (let n = 0; n < appKills; n += 1) {
      // Spread over the uploads, so that each kill meets some of them half way.
      await poll('more uploads', async () => accepted >= Math.floor((uploads * n) / (appKills + 1)), {
        timeoutMs: 120_000,
      });
      await pause();
      await kill(atelier.processes.app);
      await atelier.restartApp();
    }
  };
  const killWorker = async () => {
    for (let n = 0; n < workerKills; n += 1) {
      worker = startWorker();
      await sleep(1_500 + random() * 1_500);
      await kill(worker);
    }
    worker = startWorker();
  };
  const [ids, jobIds] = await Promise.all([uploading, starting, killApp(), killWorker()]);

  const undecided = await poll(
    'every spec ends',
    async () => {
      const rows = await sql`
        select 1 from public.spec_uploads s join private.work_items w on w.subject_id = s.id
         where s.processing_status in ('pending', 'processing') or w.state = 'pending'`;
      return rows.length === 0 && { rows: 0 };
    },
    { timeoutMs: 150_000, everyMs: 250 },
  );
  expect(undecided.rows).toBe(0);
  await untilJobsEnd(sql);

  // Every accepted upload is there once, and nothing that no client knows of.
  expect(new Set(ids).size).toBe(uploads);
  const rows = await sql<{ id: string }[]>`select id from public.spec_uploads`;
  expect(rows.map(({ id }) => id).sort()).toEqual([...ids].sort());

  const states = await specStates(sql, ids);
  expect(states).toHaveLength(uploads);
  for (const state of states) {
    expect(['completed', 'failed'], state.id).toContain(state.spec);
    expect([state.document, state.job], state.id).toEqual([state.spec, state.spec]);
    if (state.spec === 'failed') expect(['workflow_failed', 'unreachable']).toContain(state.error_code);
    else expect(state.sections).toBe(1 + (ids.indexOf(state.id) % 4));
  }
  const appliedTwice = await sql`
    select subject_id from private.callback_events where outcome = 'applied' group by subject_id, run having count(*) > 1`;
  expect(appliedTwice).toHaveLength(0);

  const { succeeded } = await expectWholeJobs(sql, jobIds);

  // A kill between a file and its row leaves a file that no row names: the hourly sweep finds and removes it.
  const orphans = () => sql<{ name: string }[]>`select name from public.orphaned_objects(0, 1000, 100)`;
  const left = await orphans();
  await sql`update storage.objects set created_at = now() - interval '2 hours' where name = any (${left.map((o) => o.name)})`;
  await atelier.restartApp();
  await poll('the sweep', async () => (await orphans()).length === 0, { timeoutMs: 30_000 });
  const [objects] = await sql`select count(*)::int as n from storage.objects where bucket_id = 'specs'`;
  expect(objects?.n).toBe(uploads);

  const seen = (await (await fetch(control())).json()) as { triggers: { mode: string }[] };
  const faulty = seen.triggers.filter(({ mode }) => faults.includes(mode)).length / seen.triggers.length;
  expect(faulty).toBeGreaterThanOrEqual(0.2);
  const [work] =
    await sql`select sum(attempts)::int as tries, max(attempts)::int as most from private.work_items`;
  const failed = states.filter(({ spec }) => spec === 'failed');
  console.log(
    `${uploads} uploads, ${appKills} + ${workerKills} kills: ${states.length - failed.length} completed, ` +
      `${failed.length} failed (${failed.filter(({ error_code }) => error_code === 'unreachable').length} unreachable), ` +
      `${work?.tries} tries (${work?.most} at most, ${Math.round(faulty * 100)} % answered in a faulty way), ${left.length} files without a row, swept; ` +
      `${succeeded} of ${jobs} image jobs succeeded`,
  );
}, 300_000);
