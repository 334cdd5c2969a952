import postgres, { type Sql } from 'postgres';
import { inject } from 'vitest';
import type {} from '@/tests/setup/provided';

/** The running product's database, past row level security: what is there, whoever asks. The caller ends it. */
export function openDatabase(url: string = inject('atelier').databaseUrl): Sql {
  return postgres(url, { max: 4, onnotice: () => {} });
}

export type Written = Record<'brands' | 'areas' | 'documents' | 'specs' | 'jobs' | 'keys', number>;

/** How many rows this user has written. */
export async function writtenBy(sql: Sql, userId: string): Promise<Written> {
  const [row] = await sql<[Written]>`
    select (select count(*)::int from public.brands where created_by = ${userId}) as brands,
           (select count(*)::int from public.area_types where created_by = ${userId}) as areas,
           (select count(*)::int from public.documents where created_by = ${userId}) as documents,
           (select count(*)::int from public.spec_uploads where created_by = ${userId}) as specs,
           (select count(*)::int from public.upload_jobs j join public.spec_uploads s on s.id = j.spec_upload_id
             where s.created_by = ${userId}) as jobs,
           (select count(*)::int from private.idempotency_keys where user_id = ${userId}) as keys`;
  return { ...row };
}

/** The objects in the specs bucket below a folder, by their keys, sorted. */
export async function objectsBelow(sql: Sql, folder: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from storage.objects where bucket_id = 'specs' and starts_with(name, ${`${folder}/`}) order by name`;
  return rows.map((row) => row.name);
}

/** What tells how far specs are: the spec, its document, the job and the work item of its current run. */
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

/** The states of these specs, in the order of their ids. */
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
