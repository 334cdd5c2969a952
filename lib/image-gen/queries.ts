import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { afterKeyset, cutPage, decodeCursor } from '@/lib/http/page';
import { signedUrls, VIEW_URL_S } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { allRows, firstRows } from '@/lib/supabase/all-rows';
import type { Tables } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import type { Db } from '@/lib/supabase/request';
import { retrying } from '@/lib/workflow/schema';
import {
  type ImageJob,
  type ImageMessage,
  imageOptions,
  imageStatus,
  type ListJobsQuery,
  materialPayload,
  type Variant,
  variant,
} from './schema';

const jobColumns =
  'id,project_id,status,status_seq,run,prompt,input_image_id,input_image_path,page_id,material_ids,material_payload,options,error,progress,progress_at,note,retrying,created_by,created_at,updated_at,started_at,finished_at,deadline_at,cover,swap_id,swap_place,name' as const;
type JobRow = Omit<Tables<'image_job_rows'>, 'error_code'>;

export const variantColumns =
  'id,variant_id,number,path,thumb_path,meta,width,height,run,created_at,starred_at' as const;
export const variantRow = variant.omit({ url: true, thumb_url: true });
type VariantRow = z.infer<typeof variantRow>;

/** Adds signed URLs to variants. The URL of a missing file is null. Throws `unavailable`. */
export async function withUrls(rows: VariantRow[]): Promise<Variant[]> {
  const paths = rows.flatMap((row) => (row.thumb_path ? [row.path, row.thumb_path] : [row.path]));
  const urls = await signedUrls(paths, VIEW_URL_S);
  const urlOf = new Map(paths.map((path, i) => [path, urls[i] ?? null]));
  return rows.map((row) => ({
    ...row,
    url: urlOf.get(row.path) ?? null,
    thumb_url: row.thumb_path ? (urlOf.get(row.thumb_path) ?? null) : null,
  }));
}

function toJob(row: JobRow, cover: Variant | null): ImageJob {
  return {
    jobId: row.id,
    projectId: row.project_id,
    status: imageStatus.parse(row.status),
    statusSeq: row.status_seq,
    run: row.run,
    prompt: row.prompt,
    inputImageId: row.input_image_id,
    inputImagePath: row.input_image_path,
    pageId: row.page_id,
    materialIds: row.material_ids,
    materialPayload: z.array(materialPayload).parse(row.material_payload),
    options: imageOptions.parse(row.options),
    error: row.error,
    progress: row.progress,
    progressAt: row.progress_at,
    note: row.note,
    retrying: retrying.nullable().parse(row.retrying),
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    deadlineAt: row.deadline_at,
    cover,
    swapId: row.swap_id,
    swapWhere: row.swap_place,
    name: row.name,
  };
}

async function withCovers(rows: JobRow[]): Promise<ImageJob[]> {
  const covers = rows.flatMap((row) =>
    row.cover === null ? [] : [{ id: row.id, row: variantRow.parse(row.cover) }],
  );
  const signed = await withUrls(covers.map((cover) => cover.row));
  const coverOf = new Map(covers.map((cover, i) => [cover.id, signed[i] ?? null]));
  return rows.map((row) => toJob(row, coverOf.get(row.id) ?? null));
}

/**
 * Returns one page of the jobs that this user can see in a project, newest first. Throws `invalid_request` or
 * `unavailable`.
 */
export async function listJobs(
  db: Db,
  query: ListJobsQuery,
): Promise<{ jobs: ImageJob[]; nextCursor: string | null }> {
  let page = db
    .from('image_job_rows')
    .select(jobColumns)
    .eq('project_id', query.projectId)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(query.limit + 1);
  if (query.status) page = page.eq('status', query.status);
  if (query.cursor) page = page.or(afterKeyset(decodeCursor(query.cursor)));
  const { rows, nextCursor } = cutPage(dataOf(await page), query.limit);
  return { jobs: await withCovers(rows), nextCursor };
}

/** Returns one job, or null when this user cannot see a job with this id. Throws `unavailable`. */
export async function getJob(db: Db, jobId: string): Promise<ImageJob | null> {
  const rows = dataOf(await db.from('image_job_rows').select(jobColumns).eq('id', jobId).limit(1));
  return (await withCovers(rows))[0] ?? null;
}

/** Returns one job. Throws `unavailable`, or `not_found` if this user cannot see a job with this id. */
export async function requireJob(db: Db, jobId: string): Promise<ImageJob> {
  const job = await getJob(db, jobId);
  if (!job) throw new HttpError('not_found');
  return job;
}

/**
 * Returns the jobs of a material swap, sorted by `created_at`, which preserves the order of the requested materials.
 * Each job's cover is its newest image with the material that the job was started for, because later prompts can use
 * other materials. Throws `unavailable`.
 */
export async function listSwapJobs(db: Db, swapId: string): Promise<ImageJob[]> {
  const jobs = db.from('image_job_rows').select(jobColumns).eq('swap_id', swapId);
  const [found, covers] = await Promise.all([
    jobs.order('created_at').order('id'),
    adminDb().rpc('swap_covers', { p_swap: swapId }),
  ]);
  const coverOf = new Map(dataOf(covers).map(({ job_id, cover }) => [job_id, cover]));
  return withCovers(dataOf(found).map((row) => ({ ...row, cover: coverOf.get(row.id) ?? null })));
}

/** Maximum number of prompts to return when there is no `limit`. */
const MAX_MESSAGES = 2_000;

type MessagePlace = { limit?: number; cursor?: string };

/**
 * Returns a job's newest prompts and their variants in chronological order. Returns at most `limit` prompts. With
 * `cursor`, returns the newest prompts before it. Without `cursor`, returns null if this user cannot see the job.
 * Throws `unavailable`.
 */
export async function listMessages(
  db: Db,
  jobId: string,
  { limit = MAX_MESSAGES, cursor }: MessagePlace = {},
): Promise<{ messages: ImageMessage[]; variants: Variant[]; nextCursor: string | null } | null> {
  // Fetch one extra prompt, which precedes this page. The runs on this page have higher numbers than the extra prompt's
  // latest run.
  const found = await firstRows(limit + 1, (from, to) => {
    const page = db
      .from('image_messages')
      .select(
        'id,ordinal,prompt,variant_id,material_ids,material_payload,options,mask_image_id,created_by,created_at,image_runs(run,status,error,notes,started_at,finished_at)',
      )
      .eq('job_id', jobId)
      .order('ordinal', { ascending: false })
      .order('run', { ascending: false, referencedTable: 'image_runs' })
      .limit(1, { referencedTable: 'image_runs' })
      .range(from, to);
    return cursor === undefined ? page : page.lt('ordinal', Number(cursor));
  });
  if (found.length === 0 && cursor === undefined) return null;
  const messages = found.slice(0, limit).flatMap(({ image_runs: [run], ...message }) => {
    // Every prompt has a run, because a prompt and its first run are written together.
    if (!run) return [];
    return {
      id: message.id,
      jobId,
      ordinal: message.ordinal,
      role: 'user' as const,
      prompt: message.prompt,
      variantId: message.variant_id,
      materialIds: message.material_ids,
      materialPayload: z.array(materialPayload).nullable().parse(message.material_payload),
      options: imageOptions.nullable().parse(message.options),
      maskImageId: message.mask_image_id,
      run: run.run,
      status: imageStatus.parse(run.status),
      error: run.error,
      notes: run.notes,
      createdBy: message.created_by,
      createdAt: message.created_at,
      startedAt: run.started_at,
      finishedAt: run.finished_at,
    };
  });
  const [newest] = messages;
  const oldest = messages.at(-1);
  const before = found[limit]?.image_runs[0];
  const variants = newest
    ? await allRows((from, to) =>
        db
          .from('image_variants')
          .select(variantColumns)
          .eq('job_id', jobId)
          .is('deleted_at', null)
          .gt('run', before?.run ?? 0)
          .lte('run', newest.run)
          .order('run')
          .order('position')
          .range(from, to),
      )
    : [];
  return {
    messages: messages.reverse(),
    variants: await withUrls(z.array(variantRow).parse(variants)),
    nextCursor: before && oldest ? String(oldest.ordinal) : null,
  };
}
