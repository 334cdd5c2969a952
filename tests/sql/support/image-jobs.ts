import type { TestDatabase } from '../../setup/database';

type Sql = TestDatabase['sql'];

/** Finishes a job's current run with this many images. A failed run keeps the images reported before it failed. */
export async function endImageRun(
  sql: Sql,
  job: string,
  status: 'succeeded' | 'failed',
  count: number,
): Promise<void> {
  const [row] = await sql`select run, project_id from public.image_jobs where id = ${job}`;
  const outputs = Array.from({ length: count }, (_, i) => ({
    variant_id: `v${i + 1}`,
    path: `images/projects/${row?.project_id}/jobs/${job}/${row?.run}/${i + 1}`,
    thumb_path: null,
    meta: null,
    width: 1,
    height: 1,
  }));
  await sql`select public.add_image_outputs(${job}, ${row?.run}, ${sql.json(outputs)})`;
  await sql`select public.apply_image_callback(${job}, ${status}, ${row?.run},
    ${status === 'succeeded' ? sql.json(outputs) : null})`;
}

/** Creates an image job in a project and returns its id. */
export async function startImageJob(sql: Sql, project: string): Promise<string> {
  const [row] = await sql`select public.create_image_job(null, ${project}, 'A lobby') as answer`;
  return row?.answer.job_id;
}

/** Creates an image job that has succeeded with this many images, and returns its id. */
export async function jobWithImages(sql: Sql, project: string, count: number): Promise<string> {
  const job = await startImageJob(sql, project);
  await endImageRun(sql, job, 'succeeded', count);
  return job;
}

export type Image = { id: string; label: string; path: string; deleted: boolean };

/** Returns the images of a job in order, including deleted images. */
export const imagesOfJob = (sql: Sql, job: string) => sql<Image[]>`
  select id, ordinal || '.' || number as label, path, deleted_at is not null as deleted from public.gallery_images
   where job_id = ${job} order by ordinal, number`;
