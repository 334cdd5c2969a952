import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { imagesOfJob, jobWithImages } from './support/image-jobs';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

type Item = { id: string; attempts: number; lease_token: string };

async function makeExport(): Promise<string> {
  const [project] = await db.sql<
    { id: string }[]
  >`insert into public.projects (name) values ('House') returning id`;
  const [row] = await db.sql`
    select public.create_export_job(null, ${project?.id ?? ''}, '{}', '{}', ${'a'.repeat(64)}) as answer`;
  return row?.answer.job_id;
}
/** Claims the work item of an export, as if its back-off or lease had expired. */
async function claim(jobId: string): Promise<Item> {
  await db.sql`update private.work_items set visible_at = now() where subject_id = ${jobId} and state = 'pending'`;
  const rows = await db.sql<(Item & { subject_id: string })[]>`
    select * from public.work_claim(array['pdf_export'], 'test', 100, 30)`;
  const item = rows.find((row) => row.subject_id === jobId);
  if (!item) throw new Error('not claimed');
  return item;
}
async function finish({ id, lease_token }: Item, path = 'exports/x.pdf'): Promise<boolean> {
  const [row] = await db.sql`
    select public.export_finished(${id}, ${lease_token}, ${path}, 10, 3, '[]') as done`;
  return row?.done;
}
async function progress({ id, lease_token }: Item, pages: number, images = 0): Promise<boolean> {
  const [row] = await db.sql`
    select public.export_progress(${id}, ${lease_token}, ${pages}, ${images}, ${images && 3}) as ours`;
  return row?.ours;
}
async function stateOf(jobId: string) {
  const [row] = await db.sql`
    select e.status, e.pages_done, e.page_count, e.result_path, e.error, e.error_code, w.state as work
      from public.export_jobs e join private.work_items w on w.subject_id = e.id where e.id = ${jobId}`;
  return row;
}

test('the origins of images have the prompts and seeds of the project that generated them', async () => {
  const projects = await db.sql<{ id: string }[]>`
    insert into public.projects (name) values ('Own'), ('Other') returning id`;
  const [own = '', other = ''] = projects.map(({ id }) => id);
  const job = await jobWithImages(db.sql, own, 2);
  const paths = (await imagesOfJob(db.sql, job)).map(({ path }) => path);
  const [seeded = ''] = paths;
  await db.sql`update public.image_variants set meta = '{"seed": 7}' where path = ${seeded}`;
  const originsOf = (project: string) => db.sql`
    select * from public.image_origins(${project}, ${[...paths, 'images/unknown.png']})`;
  expect(await originsOf(own)).toEqual(
    paths.map((path) => ({ path, prompt: 'A lobby', seed: path === seeded ? '7' : null })),
  );
  expect(await originsOf(other)).toEqual([]);
});

test('only the holder of the lease can end an export, once, which also ends its work item', async () => {
  const jobId = await makeExport();
  const first = await claim(jobId);
  const second = await claim(jobId);
  expect([await progress(first, 1), await progress(second, 2), await progress(second, 1)]).toEqual([
    false,
    true,
    true,
  ]);
  expect(await stateOf(jobId)).toMatchObject({ status: 'processing', pages_done: 2 });
  expect([await finish(first, 'exports/1.pdf'), await finish(second, 'exports/2.pdf')]).toEqual([
    false,
    true,
  ]);
  expect(await finish(second, 'exports/3.pdf')).toBe(false);
  expect(await stateOf(jobId)).toMatchObject({
    status: 'completed',
    pages_done: 3,
    page_count: 3,
    result_path: 'exports/2.pdf',
    work: 'done',
  });
});

test('the progress of an export is broadcast only when the number of completed pages increases', async () => {
  const item = await claim(await makeExport());
  const received = async () => {
    const [row] = await db.sql`select count(*)::int as n from realtime.messages where topic like 'project:%'`;
    return row?.n;
  };
  await progress(item, 0);
  const before = await received();
  expect([await progress(item, 1), await progress(item, 1), await progress(item, 0)]).toEqual([
    true,
    true,
    true,
  ]);
  expect(await received()).toBe(before + 1);
});

test('images that become ready are broadcast with the pages that are done, and neither count goes back', async () => {
  const jobId = await makeExport();
  const item = await claim(jobId);
  await progress(item, 2, 1);
  await progress(item, 1, 2);
  const [last] = await db.sql`
    select payload from realtime.messages where payload ->> 'exportJobId' = ${jobId} order by inserted_at desc limit 1`;
  expect(last?.payload).toMatchObject({ pagesDone: 2, imagesDone: 2, imagesTotal: 3 });
});

test('an export fails with its reason after the third attempt', async () => {
  const jobId = await makeExport();
  const states: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const { id, lease_token } = await claim(jobId);
    const [row] = await db.sql`
      select public.work_failed(${id}, ${lease_token}, 'browser_lost', 'The browser was lost.', true) as state`;
    states.push(row?.state);
  }
  expect(states).toEqual(['pending', 'pending', 'dead']);
  expect(await stateOf(jobId)).toMatchObject({
    status: 'failed',
    error_code: 'browser_lost',
    error: 'The browser was lost.',
    work: 'dead',
  });
});

test('a canceled export accepts no result from the worker under way', async () => {
  const jobId = await makeExport();
  const item = await claim(jobId);
  const cancel = async (id: string) =>
    (await db.sql`select public.cancel_export_job(${id}) as answer`)[0]?.answer;
  expect(await cancel(jobId)).toEqual({ outcome: 'canceled' });
  expect([await progress(item, 2), await finish(item)]).toEqual([false, false]);
  expect(await cancel(jobId)).toEqual({ outcome: 'already' });
  expect(await stateOf(jobId)).toMatchObject({ status: 'canceled', result_path: null, work: 'canceled' });
  expect(await cancel(randomUUID())).toEqual({ outcome: 'not_found' });
});

test('an export that is canceled while it ends is either canceled or completed', async () => {
  const jobs = await Promise.all(Array.from({ length: 60 }, makeExport));
  const items: Item[] = [];
  for (const jobId of jobs) items.push(await claim(jobId));
  await Promise.all(
    jobs.flatMap((jobId, index) => [
      finish(items[index] as Item),
      db.sql`select public.cancel_export_job(${jobId})`,
    ]),
  );
  const pairs: Record<string, string> = { canceled: 'canceled', completed: 'done' };
  for (const jobId of jobs) {
    const state = await stateOf(jobId);
    expect(state?.work).toBe(pairs[state?.status]);
  }
});

test('only export files that no row refers to are swept', async () => {
  const jobId = await makeExport();
  await finish(await claim(jobId), 'exports/projects/p/kept.pdf');
  await db.sql`
    insert into storage.objects (bucket_id, name, created_at, updated_at) values
      ('exports', 'projects/p/kept.pdf', now() - interval '2 hours', now() - interval '2 hours'),
      ('exports', 'projects/p/left.pdf', now() - interval '2 hours', now() - interval '2 hours'),
      ('exports', 'projects/p/replaced.pdf', now() - interval '2 hours', now()),
      ('exports', 'projects/p/new.pdf', now(), now())`;
  const [row] = await db.sql`select public.sweep_orphans(3600, 3600, 100, 100) as answer`;
  expect(row?.answer).toEqual({ paths: ['exports/projects/p/left.pdf'], ended: true });
});

test('the bucket and the global limit of the Supabase CLI both accept the largest PDF, 2 GiB', async () => {
  const [bucket] = await db.sql`
    select file_size_limit::int8::float8 as bytes from storage.buckets where id = 'exports'`;
  expect(bucket?.bytes).toBe(2 ** 31);
  // Unless the configuration sets a global limit, the CLI's storage accepts only 50 MiB, whatever the bucket's limit
  // is.
  const config = await readFile('supabase/config.toml', 'utf8');
  expect(config).toMatch(/^\[storage\]\nfile_size_limit = "2GiB"$/m);
});
