import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';

let db: TestDatabase;
let project: string;
let elsewhere: string;
const user = randomUUID();
beforeAll(async () => {
  db = await createTestDatabase();
  await db.sql`insert into auth.users (id, email) values (${user}, 'editor@studio.example')`;
  [project, elsewhere] = (await Promise.all(
    ['P', 'Q'].map(async (name) => {
      const [row] = await db.sql`insert into public.projects (name) values (${name}) returning id`;
      return row?.id;
    }),
  )) as [string, string];
});
afterAll(() => db?.drop());

type Source = { meta?: { seed: number | string | null } | null; width?: number; height?: number };

/** Adds a finished job with one image, and returns the image's id and path. */
async function addImage({ meta = null, width = 640, height = 480 }: Source = {}) {
  const [created] = await db.sql`select public.create_image_job(null, ${project}, 'A lobby') as answer`;
  const job = created?.answer.job_id;
  const path = `images/projects/${project}/jobs/${job}/1/1`;
  const output = { variant_id: 'v1', path, thumb_path: null, meta, width, height };
  await db.sql`select public.apply_image_callback(${job}, 'succeeded', 1, ${db.sql.json([output])})`;
  const [image] = await db.sql`select id from public.image_variants where job_id = ${job}`;
  return { id: String(image?.id), path };
}

type Ask = {
  of?: string;
  options?: object;
  mask?: string;
  key?: string;
  sha256?: string;
  prompts?: string[];
};
async function swap(
  variant: string,
  { of = project, options = {}, mask, key, sha256 = 'a', prompts }: Ask = {},
) {
  const jobs = (prompts ?? ['With oak', 'With cork']).map((prompt, i) => ({
    prompt,
    material: { id: `m${i}`, name: 'Material' },
  }));
  const [row] = await db.sql`
    select public.create_image_swap(${user}, ${of}, ${variant}, 'the floor', ${db.sql.json(jobs)},
      ${db.sql.json({ ...options })}, 99, ${mask ?? null}, ${key ?? null}, ${key ? sha256 : null}) as answer`;
  return row?.answer;
}
const jobsOf = (swapId: string) => db.sql`
  select id, prompt, input_image_path as path, material_ids as ids, material_payload as materials, options, swap_place
    from public.image_job_rows where swap_id = ${swapId} order by created_at, id`;
const counts = async () => {
  const [row] = await db.sql`select (select count(*)::int from public.image_swaps) as swaps,
    (select count(*)::int from public.image_jobs) as jobs, (select count(*)::int from private.work_items) as work`;
  return row;
};

test('the jobs of a swap start from the same image with its seed and size, each with its own material, in order', async () => {
  const image = await addImage({ meta: { seed: 7 } });
  const before = await counts();
  const answer = await swap(image.id);
  const options = { seed: 7, size: '640x480' };
  expect(await jobsOf(answer.swap_id)).toEqual(
    ['With oak', 'With cork'].map((prompt, i) => ({
      id: answer.job_ids[i],
      prompt,
      path: image.path,
      ids: [`m${i}`],
      materials: [{ id: `m${i}`, name: 'Material' }],
      options,
      swap_place: 'the floor',
    })),
  );
  expect(await counts()).toEqual({
    swaps: before?.swaps + 1,
    jobs: before?.jobs + 2,
    work: before?.work + 2,
  });
});

test.each([
  ['the requested seed wins over that of the image', { meta: { seed: 7 } }, { seed: -5 }, -5],
  ['the seed is random if the image has none', {}, {}, 99],
  ['the seed is random if that of the image is text', { meta: { seed: '7' } }, {}, 99],
  ['the seed is random if that of the image is a fraction', { meta: { seed: 7.5 } }, {}, 99],
  ['the seed is random if that of the image is huge', { meta: { seed: 1e300 } }, {}, 99],
  ['the seed is random if that of the image is null', { meta: { seed: null } }, {}, 99],
])('%s', async (_, source, options, seed) => {
  const image = await addImage(source);
  const jobs = await jobsOf((await swap(image.id, { options })).swap_id);
  expect(jobs.map((job) => job.options.seed)).toEqual([seed, seed]);
});

test('a requested size takes precedence over that of the image, which is ignored if it is not a valid option', async () => {
  const small = await addImage({ width: 63, height: 64 });
  const [none] = await jobsOf((await swap(small.id)).swap_id);
  expect(none?.options).toEqual({ seed: 99 });
  const [asked] = await jobsOf((await swap(small.id, { options: { size: '64x64' } })).swap_id);
  expect(asked?.options).toEqual({ seed: 99, size: '64x64' });
});

test('a swap of an unknown or deleted image, or one of another project, starts nothing', async () => {
  const [image, deleted] = [await addImage(), await addImage()];
  await db.sql`select public.delete_images(${project}, ${[deleted.id]})`;
  const before = await counts();
  expect(await swap(randomUUID())).toEqual({ outcome: 'not_found' });
  expect(await swap(deleted.id)).toEqual({ outcome: 'not_found' });
  expect(await swap(image.id, { of: elsewhere })).toEqual({ outcome: 'not_found' });
  expect(await counts()).toEqual(before);
});

test('a job that cannot be created leaves no other job of the swap', async () => {
  const image = await addImage();
  const before = await counts();
  await expect(swap(image.id, { prompts: ['With oak', ''] })).rejects.toThrow(/check constraint/);
  expect(await counts()).toEqual(before);
});

/** Adds an uploaded image and returns its id. */
async function addUpload(of: string, change: { mime_type?: string; width?: number } = {}) {
  const id = randomUUID();
  const values = { mime_type: 'image/png', width: 640, height: 480, ...change };
  const path = `images/projects/${of}/inputs/${id}.png`;
  await db.sql`insert into public.document_images ${db.sql({ ...values, id, project_id: of, storage_path: path, file_name: 'mask.png', size_bytes: 1, sha256: 'a'.repeat(64) })}`;
  return id;
}
const masksOf = (jobIds: string[]) => db.sql`
  select m.mask_image_id as mask from public.image_messages m where m.job_id = any (${jobIds})`;

test('the mask of a swap belongs to the first prompt of each job, even on a retry, and is no longer listed', async () => {
  const image = await addImage();
  const mask = await addUpload(project);
  const { job_ids } = await swap(image.id, { mask });
  await db.sql`select public.cancel_image_job(${job_ids[0]})`;
  const [retried] = await db.sql`select public.retry_image_job(${job_ids[0]}) as answer`;
  expect(retried?.answer).toEqual({ outcome: 'retried', run: 2 });
  expect(await masksOf(job_ids)).toEqual([{ mask }, { mask }]);
  expect(await db.sql`select id from public.document_images where is_mask`).toEqual([{ id: mask }]);
});

test('a swap with a mask of another size, type or project starts nothing', async () => {
  const image = await addImage();
  const before = await counts();
  for (const change of [{ width: 641 }, { mime_type: 'image/webp' }]) {
    expect(await swap(image.id, { mask: await addUpload(project, change) })).toEqual({
      outcome: 'mask_unfit',
      width: 640,
      height: 480,
    });
  }
  for (const mask of [randomUUID(), await addUpload(elsewhere)]) {
    expect(await swap(image.id, { mask })).toEqual({ outcome: 'mask_not_found' });
  }
  expect(await counts()).toEqual(before);
});

test('a repeated key returns the same jobs, even after the image was deleted, and starts nothing', async () => {
  const image = await addImage();
  const first = await swap(image.id, { key: 'k' });
  await db.sql`select public.delete_images(${project}, ${[image.id]})`;
  const before = await counts();
  expect(await swap(image.id, { key: 'k' })).toEqual(first);
  expect(await swap(image.id, { key: 'k', sha256: 'b' })).toEqual({ outcome: 'idempotency_mismatch' });
  expect(await counts()).toEqual(before);
});

test('a swap and its jobs remain when the row of the image is removed', async () => {
  const image = await addImage();
  const { swap_id } = await swap(image.id);
  await db.sql`delete from public.image_variants where id = ${image.id}`;
  const [row] = await db.sql`select variant_id from public.image_swaps where id = ${swap_id}`;
  expect(row?.variant_id).toBeNull();
  expect(await jobsOf(swap_id)).toHaveLength(2);
});

test('the image of a material is the newest one with this material, not one refined with another', async () => {
  const image = await addImage();
  const { swap_id, job_ids } = await swap(image.id);
  const finish = async (job: string, run: number) => {
    const path = `images/projects/${project}/jobs/${job}/${run}/1`;
    const output = { variant_id: `v${run}`, path, thumb_path: null, meta: null, width: 640, height: 480 };
    await db.sql`select public.apply_image_callback(${job}, 'succeeded', ${run}, ${db.sql.json([output])})`;
  };
  const refine = (job: string, ids: string[] | null) => db.sql`
    select public.send_image_message(${user}, ${job}, 'Warmer', p_material_ids => ${ids}::text[],
      p_material_payload => ${ids && db.sql.json(ids.map((id) => ({ id })))})`;
  const covers = async () => {
    const rows =
      await db.sql`select job_id, (cover ->> 'run')::int as run from public.swap_covers(${swap_id})`;
    return Object.fromEntries(rows.map(({ job_id, run }) => [job_id, run]));
  };
  const [first, second] = job_ids;
  expect(await covers()).toEqual({});
  await finish(first, 1);
  expect(await covers()).toEqual({ [first]: 1 });
  await refine(first, null);
  await finish(first, 2);
  expect(await covers()).toEqual({ [first]: 2 });
  await refine(first, ['rug', 'm0']);
  await finish(first, 3);
  expect(await covers()).toEqual({ [first]: 3 });
  await refine(first, ['marble']);
  await finish(first, 4);
  await finish(second, 1);
  expect(await covers()).toEqual({ [first]: 3, [second]: 1 });
  await db.sql`
    select public.delete_images(${project}, array(select id from public.image_variants where job_id = ${first} and run > 1))`;
  expect(await covers()).toEqual({ [first]: 1, [second]: 1 });
});
