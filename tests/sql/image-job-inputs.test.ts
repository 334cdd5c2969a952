import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';

let db: TestDatabase;
let project: string;
let elsewhere: string;
beforeAll(async () => {
  db = await createTestDatabase();
  [project, elsewhere] = (await Promise.all(
    ['P', 'Q'].map(async (name) => {
      const [row] = await db.sql`insert into public.projects (name) values (${name}) returning id`;
      return row?.id;
    }),
  )) as [string, string];
});
afterAll(() => db?.drop());

async function addImage(of: string) {
  const id = randomUUID();
  const path = `images/projects/${of}/inputs/${id}.png`;
  const sha256 = randomBytes(32).toString('hex');
  await db.sql`
    insert into public.document_images (id, project_id, storage_path, file_name, mime_type, size_bytes, width, height, sha256)
    values (${id}, ${of}, ${path}, 'a.png', 'image/png', 1, 1, 1, ${sha256})`;
  return { id, path };
}

/**
 * Creates a job whose input image has this id and path. Returns the stored id and path, or the outcome if no job was
 * created.
 */
async function inputOf(id: string | null, path: string | null) {
  const [row] =
    await db.sql`select public.create_image_job(null, ${project}, 'A lobby', ${id}, ${path}) as answer`;
  if (row?.answer.outcome !== 'created') return row?.answer.outcome;
  const [job] = await db.sql`
    select input_image_id as id, input_image_path as path from public.image_jobs where id = ${row.answer.job_id}`;
  return job;
}

test('the path of an input counts only if the id is not an image of the project', async () => {
  const image = await addImage(project);
  const other = await addImage(project);
  const foreign = await addImage(elsewhere);
  expect(await inputOf(null, null)).toEqual({ id: null, path: null });
  expect(await inputOf(image.id, null)).toEqual({ id: image.id, path: null });
  expect(await inputOf(image.id, other.path)).toEqual({ id: image.id, path: other.path });
  for (const unusable of ['nowhere.png', foreign.path, `${image.path} `]) {
    expect(await inputOf(image.id, unusable)).toEqual({ id: image.id, path: null });
    expect(await inputOf(null, unusable)).toBe('image_not_found');
    expect(await inputOf(foreign.id, unusable)).toBe('image_not_found');
  }
  for (const missing of [null, randomUUID(), foreign.id]) {
    expect(await inputOf(missing, image.path)).toEqual({ id: image.id, path: image.path });
  }
  expect(await inputOf(randomUUID(), null)).toBe('image_not_found');
});

/** Creates a finished job with one image, which has 40 x 30 pixels and the variant id `v1`. Returns the job's id. */
async function jobWithImage(of: string): Promise<string> {
  const [row] = await db.sql`select public.create_image_job(null, ${of}, 'A lobby') as answer`;
  const job: string = row?.answer.job_id;
  const path = `images/projects/${of}/jobs/${job}/1/1`;
  const output = { variant_id: 'v1', path, thumb_path: null, meta: null, width: 40, height: 30 };
  await db.sql`select public.apply_image_callback(${job}, 'succeeded', 1, ${db.sql.json([output])})`;
  return job;
}

async function addMask(of: string, change: { mime_type?: string; width?: number; height?: number } = {}) {
  const { id } = await addImage(of);
  const values = { mime_type: 'image/png', width: 40, height: 30, ...change };
  await db.sql`update public.document_images set ${db.sql(values)} where id = ${id}`;
  return id;
}

async function refineWithMask(job: string, mask: string, variant: string | null = 'v1') {
  const [row] = await db.sql`
    select public.send_image_message(null, ${job}, 'Warmer', ${variant}, p_mask_image_id => ${mask}) as answer`;
  return row?.answer;
}

test('a mask must be a PNG of the project with the size of the image to refine, and is then no longer listed', async () => {
  const job = await jobWithImage(project);
  for (const change of [{ mime_type: 'image/webp' }, { width: 30, height: 40 }, { height: 31 }]) {
    expect(await refineWithMask(job, await addMask(project, change))).toEqual({
      outcome: 'mask_unfit',
      width: 40,
      height: 30,
    });
  }
  for (const missing of [await addMask(elsewhere), randomUUID()]) {
    expect(await refineWithMask(job, missing)).toEqual({ outcome: 'mask_not_found' });
  }
  const mask = await addMask(project);
  expect(await refineWithMask(job, mask, 'v9')).toEqual({ outcome: 'variant_not_found' });
  expect(await refineWithMask(job, mask)).toMatchObject({ outcome: 'created', run: 2 });
  expect(await db.sql`select id from public.document_images where is_mask`).toEqual([{ id: mask }]);
});

test('a mask is refused while the job has no image to refine', async () => {
  const [row] = await db.sql`select public.create_image_job(null, ${project}, 'A lobby') as answer`;
  const job = row?.answer.job_id;
  await db.sql`select public.apply_image_callback(${job}, 'failed', 1, null)`;
  expect(await refineWithMask(job, await addMask(project), null)).toEqual({ outcome: 'variant_not_found' });
});

test('a mask in use cannot be deleted, except with its whole project', async () => {
  const [row] = await db.sql`insert into public.projects (name) values ('R') returning id`;
  const job = await jobWithImage(row?.id);
  const mask = await addMask(row?.id);
  await refineWithMask(job, mask);
  await expect(db.sql`delete from public.document_images where id = ${mask}`).rejects.toThrow(
    /mask_image_id/,
  );
  await db.sql`delete from public.projects where id = ${row?.id}`;
  expect(await db.sql`select 1 from public.document_images where id = ${mask}`).toHaveLength(0);
});

test('32 materials of the maximum size are stored', async () => {
  const ids = Array.from({ length: 32 }, (_, i) => `oak-${i}`);
  const payload = ids.map((id) => ({
    id,
    name: 'x'.repeat(200),
    imageUrl: `https://x/${'語'.repeat(1900)}`,
  }));
  const [row] = await db.sql`
    select public.create_image_job(null, ${project}, 'A lobby', p_material_ids => ${ids},
      p_material_payload => ${db.sql.json(payload)}) as answer`;
  expect(row?.answer.outcome).toBe('created');
});
