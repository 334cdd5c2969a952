import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { retention } from '@/lib/queue/retention';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { endImageRun, imagesOfJob, jobWithImages, startImageJob } from './support/image-jobs';

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

const end = (job: string, status: 'succeeded' | 'failed', count: number) =>
  endImageRun(db.sql, job, status, count);
const startJob = (of = project) => startImageJob(db.sql, of);
const jobWith = (count: number, of = project) => jobWithImages(db.sql, of, count);

const imagesOf = (job: string) => imagesOfJob(db.sql, job);
const idsOf = async (job: string) => (await imagesOf(job)).map(({ id }) => id);

type Answer = { outcome: string; ids?: string[] };
async function remove(ids: string[], of = project): Promise<Answer> {
  const [row] = await db.sql`select public.delete_images(${of}, ${ids}) as answer`;
  return row?.answer;
}
async function restore(ids: string[], of = project): Promise<Answer> {
  const [row] = await db.sql`
    select public.restore_images(${of}, ${ids}, ${retention.deletedImagesS}) as answer`;
  return row?.answer;
}
async function star(ids: string[], starred = true, of = project): Promise<Answer> {
  const [row] = await db.sql`select public.star_images(${of}, ${ids}, ${starred}) as answer`;
  return row?.answer;
}
async function purge(limit = 1000): Promise<number> {
  const [row] = await db.sql`
    select public.remove_deleted_images(${retention.deletedImagesS}, ${limit}) as removed`;
  return row?.removed;
}
/**
 * Backdates the deletion of images, so that the retention period ended `slackS` seconds ago or, if `slackS` is
 * negative, ends in the future.
 */
const age = (ids: string[], slackS = 60) => db.sql`
  update public.image_variants set deleted_at = now() - make_interval(secs => ${retention.deletedImagesS + slackS})
   where id = any (${ids})`;

async function seqOf(job: string): Promise<number> {
  const [row] = await db.sql`select status_seq::int as seq from public.image_jobs where id = ${job}`;
  return row?.seq;
}
async function refine(job: string, variant: string | null): Promise<string> {
  const [row] = await db.sql`select public.send_image_message(null, ${job}, 'Warmer', ${variant}) as answer`;
  return row?.answer.outcome;
}
async function sourceOf(job: string): Promise<string | null> {
  const [row] = await db.sql`
    select variant_id from public.image_messages where job_id = ${job} order by ordinal desc limit 1`;
  return row?.variant_id;
}

test('an image keeps its number when others are deleted, restored and removed, even when its prompt runs again', async () => {
  const job = await startJob();
  await end(job, 'failed', 3);
  const [first, , last] = await idsOf(job);
  await remove([first ?? '', last ?? '']);
  await age([first ?? '', last ?? '']);
  expect(await purge()).toBe(2);
  expect((await imagesOf(job)).map(({ label }) => label)).toEqual(['1.2']);
  await db.sql`select public.retry_image_job(${job})`;
  await end(job, 'succeeded', 2);
  expect((await imagesOf(job)).map(({ label }) => label)).toEqual(['1.2', '1.4', '1.5']);
  expect(await refine(job, null)).toBe('created');
  await end(job, 'succeeded', 1);
  expect((await imagesOf(job)).map(({ label }) => label)).toEqual(['1.2', '1.4', '1.5', '2.1']);
});

test('a deleted image is neither refined, nor an input of a new job, nor the cover of its job', async () => {
  const job = await jobWith(2);
  const [first, second] = await imagesOf(job);
  await remove([second?.id ?? '']);
  const [row] = await db.sql`select cover from public.image_job_rows where id = ${job}`;
  expect(row?.cover).toMatchObject({ id: first?.id, number: 1 });
  expect(await refine(job, 'v2')).toBe('variant_not_found');
  const inputs = await Promise.all(
    [first, second].map(async (image) => {
      const [made] = await db.sql`
        select public.create_image_job(null, ${project}, 'A spa', null, ${image?.path ?? ''}) as answer`;
      return made?.answer.outcome;
    }),
  );
  expect(inputs).toEqual(['created', 'image_not_found']);
  // Without a chosen image, a message refines the latest image that is not deleted.
  expect(await refine(job, null)).toBe('created');
  expect(await sourceOf(job)).toBe('v1');
  await end(job, 'failed', 0);
  await remove([first?.id ?? '']);
  expect(await refine(job, null)).toBe('created');
  expect(await sourceOf(job)).toBeNull();
  const [bare] = await db.sql`select cover from public.image_job_rows where id = ${job}`;
  expect(bare?.cover).toBeNull();
});

test('a report that names a deleted image again does not restore it', async () => {
  const job = await startJob();
  const outputs = ['a', 'b'].map((id) => ({
    variant_id: id,
    path: `images/projects/${project}/jobs/${job}/1/${id}`,
    thumb_path: null,
    meta: null,
    width: 1,
    height: 1,
  }));
  await db.sql`select public.add_image_outputs(${job}, 1, ${db.sql.json(outputs)})`;
  await remove((await idsOf(job)).slice(0, 1));
  await db.sql`select public.apply_image_callback(${job}, 'succeeded', 1, ${db.sql.json(outputs)})`;
  expect((await imagesOf(job)).map(({ label, deleted }) => [label, deleted])).toEqual([
    ['1.1', true],
    ['1.2', false],
  ]);
});

test('a deleted image can be restored until it is removed, and its row is removed only then', async () => {
  const ids = await idsOf(await jobWith(3));
  const [old = '', recent = '', kept = ''] = ids;
  await remove([old, recent]);
  await age([old]);
  await age([recent], -60);
  // The sweep has not run yet, but the retention period is over.
  expect(await restore([old])).toEqual({ outcome: 'not_found' });
  expect(await purge()).toBe(1);
  expect(await restore([old, recent])).toEqual({ outcome: 'changed', ids: [recent] });
  const [left] = await db.sql`
    select array_agg(id order by number) as ids from public.image_variants where id = any (${ids}) and deleted_at is null`;
  expect(left?.ids).toEqual([recent, kept]);
});

test('the files of a removed image become orphans', async () => {
  const job = await jobWith(1);
  const [image] = await imagesOf(job);
  const name = image?.path.replace('images/', '') ?? '';
  await db.sql`insert into storage.objects (bucket_id, name, created_at, updated_at)
    values ('images', ${name}, now() - interval '40 days', now() - interval '40 days')`;
  const sweep = async () => {
    const [row] = await db.sql`
      select public.sweep_orphans(${retention.orphansS}, ${retention.outputsS}, 1000, 1000) as answer`;
    return row?.answer.paths;
  };
  await remove([image?.id ?? '']);
  await age([image?.id ?? ''], -60);
  await purge();
  expect(await sweep()).not.toContain(`images/${name}`);
  await age([image?.id ?? '']);
  await purge();
  expect(await sweep()).toContain(`images/${name}`);
});

test('a deleted image that the document shows is removed only after the document no longer shows it', async () => {
  const [shown, cover, logo, other] = await imagesOf(await jobWith(4));
  const ids = [shown?.id ?? '', cover?.id ?? '', logo?.id ?? '', other?.id ?? ''];
  const pageWith = (image: typeof shown) => [{ elements: [{ type: 'image', path: image?.path ?? '' }] }];
  await db.sql`insert into public.project_pages (id, project_id, pages, cover, settings)
    values (${project}, ${project}, ${db.sql.json(pageWith(shown))}, ${db.sql.json({ path: cover?.path ?? '' })},
      ${db.sql.json({ masters: pageWith(logo) })})`;
  await remove(ids);
  // The images that the document shows were deleted first, but they do not count toward the limit of a purge.
  await age(ids.slice(0, 3), 120);
  await age(ids.slice(3));
  expect(await purge(1)).toBe(1);
  expect(await purge()).toBe(0);
  await db.sql`delete from public.project_pages where project_id = ${project}`;
  expect(await purge()).toBe(3);
});

test('a change increments the sequence number of its job once, and a repeated change does not', async () => {
  const job = await jobWith(2);
  const ids = await idsOf(job);
  const before = await seqOf(job);
  for (const [change, seq] of [
    [() => star(ids), 1],
    [() => star(ids), 1],
    [() => star(ids.slice(0, 1), false), 2],
    [() => remove(ids), 3],
    [() => remove(ids), 3],
    [() => restore(ids), 4],
    [() => restore(ids), 4],
  ] as const) {
    expect((await change()).outcome).toBe('changed');
    expect(await seqOf(job)).toBe(before + seq);
  }
});

test('images of another project cannot be changed, and unknown ids are ignored', async () => {
  const own = await idsOf(await jobWith(1));
  const foreignJob = await jobWith(2, elsewhere);
  const foreign = await idsOf(foreignJob);
  const before = await seqOf(foreignJob);
  for (const change of [star, remove, restore]) {
    expect(await change([...foreign, randomUUID()])).toEqual({ outcome: 'not_found' });
    expect(await change([...foreign, ...own])).toEqual({ outcome: 'changed', ids: own });
  }
  expect(await seqOf(foreignJob)).toBe(before);
  // Deleted images cannot be starred.
  await remove(own);
  expect(await star(own)).toEqual({ outcome: 'not_found' });
});

test('the gallery is filtered by time and by material, page by page', async () => {
  const [row] = await db.sql`insert into public.projects (name) values ('Filters') returning id`;
  const place = row?.id;
  const jobWithMaterials = async (ids: string[], payload: { id: string; name: string }[], day: string) => {
    const [made] = await db.sql`select public.create_image_job(null, ${place}, 'A spa',
      p_material_ids => ${ids}, p_material_payload => ${db.sql.json(payload)}) as answer`;
    const job = made?.answer.job_id;
    await end(job, 'succeeded', 2);
    await db.sql`update public.image_variants set created_at = ${`${day}T12:00:00Z`} where job_id = ${job}`;
    await db.sql`update public.image_jobs set created_at = ${`${day}T12:00:00Z`} where id = ${job}`;
    return job;
  };
  const oak = { id: 'oak_01', name: 'Oak' };
  const first = await jobWithMaterials(['oak_01'], [{ id: 'oak_01', name: 'Old oak' }], '2026-01-01');
  const second = await jobWithMaterials([], [oak, { id: 'brass', name: 'Brass' }], '2026-01-02');
  const third = await jobWithMaterials(['stone'], [], '2026-01-03');
  await db.sql`select public.create_image_job(null, ${place}, 'No image yet', p_material_ids => array['unused'])`;

  const jobsIn = async (from: string | null, to: string | null, material: string | null) => {
    const found: string[] = [];
    for (let after: { created_at: string; id: string } | undefined; ; ) {
      const rows: { job_id: string; created_at: string; id: string }[] = await db.sql`
        select job_id, created_at::text, id from public.list_gallery(${place}, false, 60, false, 1,
          p_before => ${after?.created_at ?? null}, p_before_id => ${after?.id ?? null},
          p_from => ${from}, p_to => ${to}, p_material => ${material})`;
      after = rows[0];
      if (!after) return found;
      found.push(rows[0]?.job_id ?? '');
    }
  };
  expect(await jobsIn(null, null, null)).toEqual([third, third, second, second, first, first]);
  expect(await jobsIn('2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z', null)).toEqual([second, second]);
  // The start of the range is inclusive, and its end is exclusive.
  expect(await jobsIn('2026-01-02T12:00:00Z', '2026-01-03T12:00:00Z', null)).toEqual([second, second]);
  expect(await jobsIn(null, null, 'oak_01')).toEqual([second, second, first, first]);
  expect(await jobsIn('2026-01-02T00:00:00Z', null, 'oak_01')).toEqual([second, second]);
  expect(await jobsIn(null, null, 'unknown')).toEqual([]);
  expect(await db.sql`select id, name from public.gallery_materials(${place}, 10)`).toEqual([
    { id: 'brass', name: 'Brass' },
    oak,
    { id: 'stone', name: 'stone' },
  ]);

  // The materials of a message replace those of its job.
  await db.sql`select public.send_image_message(null, ${third}, 'In linen', p_material_ids => '{}',
    p_material_payload => ${db.sql.json([{ id: 'linen', name: 'Linen' }])})`;
  await end(third, 'succeeded', 1);
  expect(await jobsIn(null, null, 'linen')).toEqual([third]);
  expect(await jobsIn(null, null, 'stone')).toEqual([third, third]);
  const names = await db.sql`select name from public.gallery_materials(${place}, 10)`;
  expect(names.map(({ name }) => name)).toEqual(['Brass', 'Linen', 'Oak', 'stone']);
});
