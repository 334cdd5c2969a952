import { z } from 'zod';
import type { Caller } from '@/lib/auth/caller';
import { pdfName } from '@/lib/document/pdf-name';
import { exportOptions, exportWarning } from '@/lib/document/schema';
import { HttpError } from '@/lib/errors/problem';
import type { Bytes } from '@/lib/http/join-bytes';
import { afterKeyset, cutPage, decodeCursor } from '@/lib/http/page';
import { signedUrls } from '@/lib/storage/objects';
import { dataOf } from '@/lib/supabase/database-error';
import { readingJson } from '@/lib/supabase/json-bytes';
import type { Db } from '@/lib/supabase/request';
import {
  DOWNLOAD_URL_S,
  type DocumentVersion,
  type ExportJob,
  exportStatus,
  type ListExportsQuery,
} from './schema';

/**
 * Returns the row of a project's document, if this user can see it, as unparsed JSON in UTF-8 (see `parseStored`).
 * There is no row before the first save. Calls `take` with the size of each chunk.
 */
export function documentRows(
  { dbThrough }: Pick<Caller, 'dbThrough'>,
  projectId: string,
  take: (size: number) => void,
): Promise<Bytes> {
  return readingJson(
    (through) =>
      dbThrough(through)
        .from('project_pages')
        .select('version,format,orientation,language,cover,settings,pages')
        .eq('project_id', projectId)
        .limit(1),
    take,
  );
}

/**
 * Returns the version of a project's document and who saved it. The version is 0 before the first save, or if this user
 * cannot see the document.
 */
export async function documentVersion(db: Db, projectId: string): Promise<DocumentVersion> {
  const [row] = dataOf(
    await db.from('project_pages').select('version,updated_by').eq('project_id', projectId).limit(1),
  );
  return { version: row?.version ?? 0, savedBy: row?.updated_by ?? null };
}

const jobColumns =
  'id,project_id,status,options,result_path,page_count,pages_done,result_bytes,warnings,error,version_id,created_at,finished_at,projects(name)' as const;

async function selectJobs(db: Db, of: { id: string } | ListExportsQuery) {
  let rows = db.from('export_jobs').select(jobColumns);
  if ('id' in of) return dataOf(await rows.eq('id', of.id).limit(1));
  rows = rows.eq('project_id', of.projectId);
  if (of.cursor) rows = rows.or(afterKeyset(decodeCursor(of.cursor)));
  return dataOf(
    await rows
      .order('created_at', { ascending: false })
      .order('id', { ascending: false })
      .limit(of.limit + 1),
  );
}
type JobRow = Awaited<ReturnType<typeof selectJobs>>[number];

async function toJobs(rows: JobRow[]): Promise<ExportJob[]> {
  const paths = rows.flatMap((row) => (row.result_path ? [row.result_path] : []));
  const urls = await signedUrls([...new Set(paths)], DOWNLOAD_URL_S);
  const urlOf = new Map([...new Set(paths)].map((path, i) => [path, urls[i] ?? null]));
  return rows.map((row) => {
    const url = urlOf.get(row.result_path ?? '');
    const options = exportOptions.parse(row.options);
    const name = pdfName(options.fileName, {
      project: row.projects?.name ?? '',
      at: new Date(row.created_at),
      version: options.documentVersion,
    });
    return {
      jobId: row.id,
      projectId: row.project_id,
      status: exportStatus.parse(row.status),
      options,
      downloadUrl: url ? `${url}&download=${encodeURIComponent(name)}` : null,
      pageCount: row.page_count,
      pagesDone: row.pages_done,
      bytes: row.result_bytes,
      warnings: z.array(exportWarning).parse(row.warnings),
      error: row.error,
      versionId: row.version_id,
      createdAt: row.created_at,
      finishedAt: row.finished_at,
    };
  });
}

/** Returns the exports of a project that this user can see, newest first. Throws `invalid_request`, `unavailable`. */
export async function listExports(
  db: Db,
  query: ListExportsQuery,
): Promise<{ jobs: ExportJob[]; nextCursor: string | null }> {
  const { rows, nextCursor } = cutPage(await selectJobs(db, query), query.limit);
  return { jobs: await toJobs(rows), nextCursor };
}

/** Returns one export. Throws `not_found` when this user cannot see an export with this id, and `unavailable`. */
export async function requireExport(db: Db, jobId: string): Promise<ExportJob> {
  const [job] = await toJobs(await selectJobs(db, { id: jobId }));
  if (!job) throw new HttpError('not_found');
  return job;
}
