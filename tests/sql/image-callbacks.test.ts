import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';

let db: TestDatabase;
let project: string;
beforeAll(async () => {
  db = await createTestDatabase();
  const [row] = await db.sql<{ id: string }[]>`insert into public.projects (name) values ('P') returning id`;
  project = row?.id ?? '';
});
afterAll(() => db?.drop());

async function startJob(): Promise<string> {
  const [row] = await db.sql`select public.create_image_job(null, ${project}, 'A lobby') as answer`;
  return row?.answer.job_id;
}

async function succeed(job: string, run: number, ids: string[]): Promise<string> {
  const outputs = ids.map((id) => ({
    variant_id: id,
    path: `images/${job}/${run}/${id}`,
    thumb_path: null,
    meta: null,
    width: 1,
    height: 1,
  }));
  const [row] = await db.sql`
    select public.apply_image_callback(${job}, 'succeeded', ${run}, ${db.sql.json(outputs)}) as answer`;
  return row?.answer.outcome;
}

const variants = async (job: string) =>
  (
    await db.sql`select run, variant_id from public.image_variants where job_id = ${job} order by run, position`
  ).map((row) => `${row.run}:${row.variant_id}`);

test('an id that an earlier run used is prefixed with its run', async () => {
  const job = await startJob();
  expect(await succeed(job, 1, ['v1', 'v2'])).toBe('applied');
  await db.sql`select public.send_image_message(null, ${job}, 'Warmer', 'v2')`;
  expect(await succeed(job, 2, ['v1', 'v2'])).toBe('applied');
  expect(await variants(job)).toEqual(['1:v1', '1:v2', '2:r2-v1', '2:r2-v2']);
  await db.sql`select public.send_image_message(null, ${job}, 'Colder', 'v2')`;
  const [message] = await db.sql`
    select variant_id, variant_run from public.image_messages where job_id = ${job} and prompt = 'Colder'`;
  expect(message).toEqual({ variant_id: 'v2', variant_run: 1 });
});

test('long ids stay distinct when they are prefixed with their run', async () => {
  const job = await startJob();
  const ids = ['a', 'b'].map((end) => `${'v'.repeat(127)}${end}`);
  expect(await succeed(job, 1, ids)).toBe('applied');
  await db.sql`select public.send_image_message(null, ${job}, 'Warmer')`;
  expect(await succeed(job, 2, ids)).toBe('applied');
  expect(await variants(job)).toEqual([...ids.map((id) => `1:${id}`), ...ids.map((id) => `2:r2-${id}`)]);
  await db.sql`select public.send_image_message(null, ${job}, 'Colder', ${`r2-${ids[1]}`})`;
  const [message] = await db.sql`
    select variant_id, variant_run from public.image_messages where job_id = ${job} and prompt = 'Colder'`;
  expect(message).toEqual({ variant_id: `r2-${ids[1]}`, variant_run: 2 });
});

type Output = { name: string; id?: string };

/** Reports a success of the first run with these usable outputs. The report also has the files `others`. */
async function succeedWith(job: string, outputs: Output[], others: string[] = []): Promise<string> {
  const pathOf = (name: string) => `images/${job}/1/${name}`;
  const usable = outputs.map(({ name, id }) => ({
    ...(id === undefined ? {} : { variant_id: id }),
    path: pathOf(name),
    width: 1,
    height: 1,
  }));
  const [row] = await db.sql`
    select public.apply_image_callback(${job}, 'succeeded', 1, ${db.sql.json(usable)},
      p_notes => ${others.map((name) => `${name} is missing.`)},
      p_paths => ${[...outputs.map(({ name }) => name), ...others].map(pathOf)}) as answer`;
  return row?.answer.outcome;
}

test('an output without an id gets an id that no output of the same report has', async () => {
  const job = await startJob();
  await succeedWith(job, [{ name: 'a' }, { name: 'b', id: 'v1' }, { name: 'c' }, { name: 'd', id: 'v3' }]);
  expect(await variants(job)).toEqual(['1:v2', '1:v1', '1:v4', '1:v3']);
});

test('a repeated success changes nothing, even if it has a file that is missing, and later adds that file', async () => {
  const job = await startJob();
  const two = [
    { name: 'b', id: 'b' },
    { name: 'a', id: 'a' },
  ];
  const outcomes = [];
  for (let time = 0; time < 3; time += 1) outcomes.push(await succeedWith(job, two, ['c']));
  expect(outcomes).toEqual(['applied', 'duplicate', 'duplicate']);
  expect(await variants(job)).toEqual(['1:b', '1:a']);
  expect(await runOf(job)).toMatchObject({ notes: ['c is missing.'] });
  expect(await succeedWith(job, [...two, { name: 'c', id: 'c' }])).toBe('applied');
  expect(await variants(job)).toEqual(['1:a', '1:b', '1:c']);
});

test('of two images with one id that arrive at once, one is stored, and the run notes the other', async () => {
  const job = await startJob();
  const send = (name: string) => succeedWith(job, [{ name, id: 'v1' }]);
  expect([await send('a'), await send('b'), await send('b')]).toEqual(['applied', 'duplicate', 'duplicate']);
  expect(await variants(job)).toEqual(['1:v1']);
  const notes = ['An image was left out because another image has the same variant_id.'];
  expect(await runOf(job)).toMatchObject({ status: 'succeeded', notes });
});

test('a success adds images for five minutes after the first', async () => {
  const job = await startJob();
  await succeedWith(job, [{ name: 'a', id: 'a' }]);
  expect(await succeedWith(job, [{ name: 'b', id: 'b' }])).toBe('applied');
  await db.sql`update public.image_jobs set finished_at = finished_at - interval '6 minutes' where id = ${job}`;
  expect(await succeedWith(job, [{ name: 'c', id: 'c' }])).toBe('duplicate');
  expect(await variants(job)).toEqual(['1:a', '1:b']);
});

test('a reason is stored without the token of a signed URL', async () => {
  const job = await startJob();
  const reason = 'PUT https://files.example.com/slot?token=abc gave 500';
  await db.sql`select public.apply_image_callback(${job}, 'failed', 1, null, ${reason})`;
  const rows = await db.sql`
    select j.error as job, r.error as run from public.image_jobs j join public.image_runs r on r.job_id = j.id
     where j.id = ${job}`;
  expect(rows).toEqual([
    {
      job: 'PUT https://files.example.com/slot gave 500',
      run: 'PUT https://files.example.com/slot gave 500',
    },
  ]);
});

const report = async (
  job: string,
  status: string,
  outputs: object[] | null = null,
  error: string | null = null,
) => {
  const json = outputs && db.sql.json(outputs as never);
  const [row] = await db.sql`
    select public.apply_image_callback(${job}, ${status}, 1, ${json}, ${error}, array['A note.']) as answer`;
  return row?.answer;
};
const runOf = async (job: string) =>
  (
    await db.sql`select status, error_code, error, notes from public.image_runs where job_id = ${job} and run = 1`
  )[0];

test('a reported success without outputs counts as a success, and its run keeps the note', async () => {
  const job = await startJob();
  expect(await report(job, 'succeeded', [])).toMatchObject({ outcome: 'applied', status: 'succeeded' });
  expect(await runOf(job)).toEqual({
    status: 'succeeded',
    error_code: null,
    error: null,
    notes: ['A note.'],
  });
});

test('a reported success whose outputs are all unusable counts as a failure with the reason', async () => {
  const job = await startJob();
  const response = await report(job, 'succeeded', [], 'Image 1 could not be read: the file does not exist.');
  expect(response).toMatchObject({ outcome: 'applied', status: 'failed' });
  expect(await runOf(job)).toMatchObject({
    status: 'failed',
    error_code: 'invalid_output',
    error: 'Image 1 could not be read: the file does not exist.',
  });
});

test('the result of every report includes the status of the job', async () => {
  const job = await startJob();
  expect(await report(job, 'failed')).toMatchObject({ outcome: 'applied', status: 'failed' });
  expect(await report(job, 'failed')).toMatchObject({ outcome: 'duplicate', status: 'failed' });
  expect(await report(job, 'succeeded', [])).toMatchObject({ outcome: 'conflict', status: 'failed' });
  await db.sql`select public.retry_image_job(${job})`;
  expect(await report(job, 'succeeded', [])).toMatchObject({ outcome: 'stale_run', status: 'queued' });
});

test('the first 10,000 characters of a reason are stored', async () => {
  const job = await startJob();
  await report(job, 'failed', null, 'ä'.repeat(12_000));
  const rows = await db.sql`
    select char_length(j.error) as job, char_length(r.error) as run from public.image_jobs j
      join public.image_runs r on r.job_id = j.id where j.id = ${job}`;
  expect(rows).toEqual([{ job: 10_000, run: 10_000 }]);
});

test('a late success without a usable output does not correct a failed job, but a later one with a usable output does', async () => {
  const job = await startJob();
  const [item] = await db.sql`select * from public.work_claim(array['image_dispatch'], 'test', 1000, 30)
    where subject_id = ${job}`;
  await db.sql`select public.work_failed(${item?.id}, ${item?.lease_token}, 'timeout', 'gave up', false)`;
  expect(
    await report(job, 'succeeded', [], 'Image 1 could not be read: the file does not exist.'),
  ).toMatchObject({
    outcome: 'late',
  });
  expect(await succeed(job, 1, ['v1'])).toBe('applied');
  expect(await variants(job)).toEqual(['1:v1']);
});
