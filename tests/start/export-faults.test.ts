// @module-tag extended
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PageInput } from '@/lib/document/page-model';
import { type Api, apiAt, expectProblem } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import {
  anExport,
  cancelExport,
  onePage,
  readExport,
  textElement,
  workOf,
} from '@/tests/app/support/exports';
import { newUser } from '@/tests/app/support/people';
import { addImage } from '@/tests/app/support/pictures';
import { inParallel, poll } from '@/tests/app/support/poll';
import { unique } from '@/tests/app/support/specs';
import { makeProject } from '@/tests/app/support/team';
import { photo } from '@/tests/pdf/support/documents';
import { expectCompleteExports } from '@/tests/soak/invariants/exports';
import { sweepOrphans } from '@/tests/soak/invariants/orphans';
import { emptyLedger, type Ledger } from '@/tests/soak/options';
import { type Product, startProduct } from '@/tests/soak/product';
import { browsersOf, pidsOf, profileOwners } from '@/tests/start/support/printing-browsers';

// These tests start a separate product, with a worker alongside the app, because they kill processes that other tests
// need.
let product: Product;
let sql: Sql;
let api: Api;
let projectId: string;
const ledger: Ledger = emptyLedger();
/** The pids of all processes seen so far. */
const pids = new Set<number>();

const dataDir = () => product.atelier.env.ATELIER_DATA_DIR ?? '';
function noteProcesses(): void {
  for (const pid of pidsOf(dataDir())) pids.add(pid);
}

beforeAll(async () => {
  product = await startProduct();
  const { url, env, databaseUrl } = product.atelier;
  sql = openDatabase(databaseUrl);
  api = apiAt(url, (await newUser(env, 'owner')).headers);
  projectId = await makeProject(api);
});
afterAll(async () => {
  await sql?.end();
  expect(await product?.stop()).toEqual([]);
});

/** Starts an export of a document that has unique text and takes a moment to print. */
async function start(pages = 8): Promise<string> {
  const uniqueText = unique('Words');
  const elements = Array.from({ length: 12 }, (_, n) =>
    textElement(`t${n}`, uniqueText, { x: 20, y: 10 + n * 22 }),
  );
  const id = await anExport(api, {
    projectId,
    pages: Array.from({ length: pages }, (_, n) => ({ id: `p${n}`, elements })),
  });
  ledger.exports.push({ id, text: uniqueText, pages, cancelRequested: false });
  return id;
}

/** Counts the exports that are waiting and those in progress. Ends all back-offs first. */
async function open(): Promise<{ waiting: number; underWay: number }> {
  await sql`update private.work_items set visible_at = now() where state = 'pending' and lease_token is null`;
  const [row] = await sql<{ waiting: number; under_way: number }[]>`
    select count(*) filter (where lease_token is null)::int as waiting,
           count(*) filter (where lease_token is not null)::int as under_way
      from private.work_items where state = 'pending'`;
  return { waiting: row?.waiting ?? 0, underWay: row?.under_way ?? 0 };
}

async function untilAllHaveEnded(): Promise<void> {
  await poll('all exports end', async () => {
    const { waiting, underWay } = await open();
    return waiting + underWay === 0;
  });
}

test('six kills of the browser and the worker lose no export and leave no file behind', async () => {
  let [browserKills, workerKills] = [0, 0];
  while (browserKills < 3 || workerKills < 3) {
    const { waiting, underWay } = await open();
    await inParallel(Array.from({ length: Math.max(0, 6 - waiting - underWay) }), 3, () => start());
    // The usual limit on attempts would not allow this many kills, so raise it.
    await sql`update private.work_items set max_attempts = 1000 where state = 'pending'`;
    await poll('some exports are under way', async () => (await open()).underWay > 1);
    noteProcesses();
    if (browserKills <= workerKills) {
      if (await product.killBrowsers()) browserKills += 1;
      continue;
    }
    await product.killWorker();
    workerKills += 1;
    // Expire all leases, as if half a minute had passed.
    await sql`update private.work_items set visible_at = now() where state = 'pending'`;
  }
  await untilAllHaveEnded();
  const [struck] = await sql<{ again: number }[]>`
    select sum(attempts - 1)::int as again from private.work_items where attempts > 1`;
  expect(struck?.again).toBeGreaterThan(3);
});

test('eight concurrent exports produce eight files', async () => {
  const ids = await inParallel(Array.from({ length: 8 }), 8, () => start());
  await untilAllHaveEnded();
  const jobs = await Promise.all(ids.map((id) => readExport(api, id)));
  expect(jobs.map(({ status, pageCount }) => [status, pageCount])).toEqual(ids.map(() => ['completed', 8]));
});

test('an export canceled while it waits or is printed stays canceled, and a completed one stays completed', async () => {
  const cancel = async (id: string) => {
    for (const entry of ledger.exports) if (entry.id === id) entry.cancelRequested = true;
    return cancelExport(api, id);
  };
  const ids = await inParallel(Array.from({ length: 12 }), 12, () => start());
  const [printed = '', ...others] = ids;
  const left = new Set(others);
  await poll('an export is canceled before it is claimed', async () => {
    for (const id of left) {
      if ((await workOf(sql, id)).attempts > 0) continue;
      left.delete(id);
      await cancel(id);
      return (await workOf(sql, id)).attempts === 0;
    }
    throw new Error('none of them waits');
  });
  const responses = await inParallel([...left], 3, async (id) => {
    await poll('the export is under way', async () => (await workOf(sql, id)).attempts > 0);
    return cancel(id);
  });
  expect(responses.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
  expect(responses.some(({ status }) => status === 200)).toBe(true);
  await untilAllHaveEnded();
  expect(expectProblem(await cancel(printed), 'state_conflict').currentStatus).toBe('completed');
  // A process that is still printing notices the cancellation within a second and removes what it has stored.
  const canceled = ledger.exports
    .filter(({ cancelRequested: cancelAsked }) => cancelAsked)
    .map(({ id }) => id);
  await poll('no file of a canceled export is left', async () => {
    const files = await sql<{ name: string }[]>`select name from storage.objects where bucket_id = 'exports'`;
    const jobs = await Promise.all(canceled.map((id) => readExport(api, id)));
    const gone = jobs.filter(({ status }) => status === 'canceled').map(({ jobId }) => jobId);
    return gone.length > 0 && !files.some(({ name }) => gone.some((id) => name.includes(id)));
  });
});

test('after all faults each completed export has one file, and no process or profile is left over', async () => {
  await sweepOrphans(sql, product);
  const completed = await expectCompleteExports(sql, product.atelier.env, ledger);
  const canceled = await sql`select 1 from public.export_jobs where status = 'canceled'`;
  expect(completed + canceled.length).toBe(ledger.exports.length);
  // Before a process starts a browser, it removes the profiles that killed processes left behind.
  await product.killBrowsers();
  await start(1);
  await untilAllHaveEnded();
  noteProcesses();
  const alive = new Set(pidsOf(dataDir()));
  const profiles = await profileOwners(pids);
  expect(profiles.filter((owner) => !alive.has(owner))).toEqual([]);
  expect(browsersOf(dataDir()).length).toBe(profiles.length);
});

test('an export that is larger than storage accepts fails at its first attempt, with the reason', async () => {
  const limit = (bytes: number) =>
    sql`update storage.buckets set file_size_limit = ${bytes} where id = 'exports'`;
  const failure = async (pages: PageInput[]) => {
    const id = await anExport(api, { projectId, pages });
    await untilAllHaveEnded();
    const { status, error } = await readExport(api, id);
    return { status, error, attempts: (await workOf(sql, id)).attempts };
  };
  const { path } = await addImage(api, projectId, (await photo(1200, 900)).bytes);
  const image = { id: 'i', type: 'image', x: 20, y: 20, w: 160, h: 120, path } as const;
  const [before] = await sql<{ bytes: number }[]>`
    select file_size_limit::int8::float8 as bytes from storage.buckets where id = 'exports'`;
  expect(before?.bytes).toBe(2 ** 31);
  try {
    // This failure is detected before anything is printed, because the images alone exceed the limit.
    await limit(200_000);
    expect(await failure([{ id: 'p', elements: [image] }])).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(
        /^The images of the document are larger than the 0\.2 MB .* Choose screen quality.*“exports”\.$/,
      ),
      attempts: 1,
    });
    // This failure is detected only when storage rejects the file.
    await limit(1_000);
    expect(await failure([onePage()])).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^The PDF is larger than file storage accepts\. .*“exports”\.$/),
      attempts: 1,
    });
  } finally {
    await limit(2 ** 31);
  }
  expect((await failure([{ id: 'p', elements: [image] }])).status).toBe('completed');
});
