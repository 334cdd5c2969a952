import { readFileSync } from 'node:fs';
import postgres, { type Sql } from 'postgres';
import { inject } from 'vitest';
import { startFile } from '@/tests/setup/provided';

function databaseUrl(): string {
  const started = JSON.parse(readFileSync(startFile(inject('atelier').dataDir), 'utf8')) as {
    databaseUrl: string;
  };
  return started.databaseUrl;
}

/**
 * Connects to the running product's database as the owner of the database. The owner bypasses row level security. The
 * caller must close the connection.
 */
export function openDatabase(url: string = databaseUrl()): Sql {
  return postgres(url, { max: 4, onnotice: () => {} });
}

export type Written = Record<
  | 'brands'
  | 'areas'
  | 'documents'
  | 'specs'
  | 'jobs'
  | 'keys'
  | 'projects'
  | 'members'
  | 'images'
  | 'imageJobs'
  | 'messages'
  | 'pages'
  | 'exports'
  | 'tokens',
  number
>;

/**
 * Counts the rows that this user has created, the jobs of the user's specs, and the members of the user's projects.
 * `pages` is the sum of the version numbers of the `project_pages` rows that this user was the last to save.
 */
export async function writtenBy(sql: Sql, userId: string): Promise<Written> {
  const [row] = await sql<[Written]>`
    select (select count(*)::int from public.brands where created_by = ${userId}) as brands,
           (select count(*)::int from public.area_types where created_by = ${userId}) as areas,
           (select count(*)::int from public.documents where created_by = ${userId}) as documents,
           (select count(*)::int from public.spec_uploads where created_by = ${userId}) as specs,
           (select count(*)::int from public.upload_jobs j join public.spec_uploads s on s.id = j.spec_upload_id
             where s.created_by = ${userId}) as jobs,
           (select count(*)::int from public.projects where created_by = ${userId}) as projects,
           (select count(*)::int from public.project_members m join public.projects p on p.id = m.project_id
             where p.created_by = ${userId}) as members,
           (select count(*)::int from public.document_images where created_by = ${userId}) as images,
           (select count(*)::int from public.image_jobs where created_by = ${userId}) as "imageJobs",
           (select count(*)::int from public.image_messages where created_by = ${userId}) as messages,
           (select coalesce(sum(version), 0)::int from public.project_pages where updated_by = ${userId}) as pages,
           (select count(*)::int from public.export_jobs where created_by = ${userId}) as exports,
           (select count(*)::int from private.access_tokens where created_by = ${userId}) as tokens,
           (select count(*)::int from private.idempotency_keys where user_id = ${userId}) as keys`;
  return { ...row };
}

/** Returns the keys of the objects in a folder of the specs bucket, sorted. */
export async function objectsBelow(sql: Sql, folder: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from storage.objects where bucket_id = 'specs' and starts_with(name, ${`${folder}/`}) order by name`;
  return rows.map((row) => row.name);
}

/** The states of a spec, its document, and its current run's job and work item. */
export type SpecState = {
  id: string;
  run: number;
  spec: string;
  document: string;
  job: string;
  work: string;
  sections: number | null;
  error: string | null;
  error_code: string | null;
};

/** Returns the states of these specs, ordered by id. */
export async function specStates(sql: Sql, ids: string[]): Promise<SpecState[]> {
  const rows = await sql<SpecState[]>`
    select s.id, s.run, s.processing_status as spec, d.processing_status as document, j.status as job, w.state as work,
           s.sections_count as sections, s.error, s.error_code
      from public.spec_uploads s
      join public.documents d on d.id = s.document_id
      join public.upload_jobs j on j.spec_upload_id = s.id and j.run = s.run
      join private.work_items w on w.kind = 'spec_dispatch' and w.subject_id = s.id and w.run = s.run
     where s.id = any (${ids}) order by s.id`;
  return rows.map((row) => ({ ...row }));
}

/** The states of an image job, its current run, and that run's work item. */
export type ImageState = {
  id: string;
  run: number;
  job: string;
  ran: string;
  work: string;
  error: string | null;
  error_code: string | null;
  variants: { run: number; variant_id: string; path: string }[];
};

/** Returns the states of these image jobs, in the order of the given ids. */
export async function imageStates(sql: Sql, ids: string[]): Promise<ImageState[]> {
  const rows = await sql<ImageState[]>`
    select j.id, j.run, j.status as job, r.status as ran, w.state as work, j.error, j.error_code,
           (select coalesce(jsonb_agg(jsonb_build_object('run', v.run, 'variant_id', v.variant_id, 'path', v.path)
                                      order by v.run, v.position), '[]')
              from public.image_variants v where v.job_id = j.id) as variants
      from public.image_jobs j
      join public.image_runs r on r.job_id = j.id and r.run = j.run
      join private.work_items w on w.kind = 'image_dispatch' and w.subject_id = j.id and w.run = j.run
     where j.id = any (${ids}) order by array_position(${ids}::uuid[], j.id)`;
  return rows.map((row) => ({ ...row }));
}
