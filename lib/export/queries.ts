import { z } from 'zod';
import type { Caller } from '@/lib/auth/caller';
import { type DocumentKey, documentIdOf, isMainDocument } from '@/lib/document/document-key';
import { pdfName } from '@/lib/document/pdf-name';
import { exportOptions, exportWarning } from '@/lib/document/schema';
import { HttpError } from '@/lib/errors/problem';
import type { Bytes } from '@/lib/http/join-bytes';
import { afterKeyset, cutPage, decodeCursor } from '@/lib/http/page';
import { signedUrls } from '@/lib/storage/objects';
import { dataOf } from '@/lib/supabase/database-error';
import { readingJson } from '@/lib/supabase/json-bytes';
import type { Db } from '@/lib/supabase/request';
import { noDocument } from './document-row';
import { MAIN_NAME } from './documents/schema';
import {
  DOWNLOAD_URL_S,
  type DocumentVersion,
  type ExportJob,
  exportStatus,
  type ListExportsQuery,
} from './schema';

/**
 * Returns a JSON array with the row of a document, as unparsed UTF-8 (see `parseStored`). The array is empty for a main
 * document that is not stored or that this user cannot see. Calls `take` with the size of each chunk. Throws
 * `not_found` for any other document that does not exist or that this user cannot see.
 */
export async function documentRows(
  { dbThrough }: Pick<Caller, 'dbThrough'>,
  key: DocumentKey,
  take: (size: number) => void,
): Promise<Bytes> {
  const rows = await readingJson(
    (through) =>
      dbThrough(through)
        .from('project_pages')
        .select('version,format,orientation,language,cover,settings,pages')
        .eq('id', documentIdOf(key))
        .eq('project_id', key.projectId)
        .limit(1),
    take,
  );
  // An empty array (`[]`) means that the document is not stored or that this user cannot see it.
  if (rows.byteLength <= '[]'.length && !isMainDocument(key)) throw noDocument();
  return rows;
}

/**
 * Returns the version of a document and who saved it. The version of a main document is 0 if the document is not stored
 * or this user cannot see it. Throws `not_found` for any other document that does not exist or that this user cannot
 * see.
 */
export async function documentVersion(db: Db, key: DocumentKey): Promise<DocumentVersion> {
  const [row] = dataOf(
    await db
      .from('project_pages')
      .select('version,updated_by')
      .eq('id', documentIdOf(key))
      .eq('project_id', key.projectId)
      .limit(1),
  );
  if (!row && !isMainDocument(key)) throw noDocument();
  return { version: row?.version ?? 0, savedBy: row?.updated_by ?? null };
}

const jobColumns =
  'id,project_id,document_id,status,options,result_path,page_count,pages_done,images_done,images_total,result_bytes,warnings,error,version_id,created_at,finished_at,projects(name)' as const;

async function selectJobs(db: Db, of: { id: string } | ListExportsQuery) {
  let rows = db.from('export_jobs').select(jobColumns);
  if ('id' in of) return dataOf(await rows.eq('id', of.id).limit(1));
  rows = rows.eq('project_id', of.projectId);
  if (of.documentId === of.projectId) rows = rows.is('document_id', null);
  else if (of.documentId) rows = rows.eq('document_id', of.documentId);
  if (of.cursor) rows = rows.or(afterKeyset(decodeCursor(of.cursor)));
  return dataOf(
    await rows
      .order('created_at', { ascending: false })
      .order('id', { ascending: false })
      .limit(of.limit + 1),
  );
}
type JobRow = Awaited<ReturnType<typeof selectJobs>>[number];

/** Returns the names of the exported documents by document id. Leaves out deleted documents. */
async function documentNames(db: Db, rows: JobRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.map((row) => row.document_id ?? row.project_id))];
  const found =
    ids.length === 0 ? [] : dataOf(await db.from('project_pages').select('id,name').in('id', ids));
  return new Map(found.map(({ id, name }) => [id, name]));
}

async function toJobs(db: Db, rows: JobRow[]): Promise<ExportJob[]> {
  const nameOf = await documentNames(db, rows);
  const paths = rows.flatMap((row) => (row.result_path ? [row.result_path] : []));
  const urls = await signedUrls([...new Set(paths)], DOWNLOAD_URL_S);
  const urlOf = new Map([...new Set(paths)].map((path, i) => [path, urls[i] ?? null]));
  return rows.map((row) => {
    const url = urlOf.get(row.result_path ?? '');
    const options = exportOptions.parse(row.options);
    const isMain = row.document_id === null;
    const name = pdfName(options.fileName, {
      project: row.projects?.name ?? '',
      document: {
        name: nameOf.get(row.document_id ?? row.project_id) ?? (isMain ? MAIN_NAME : ''),
        isMain,
      },
      at: new Date(row.created_at),
      version: options.documentVersion,
    });
    return {
      jobId: row.id,
      projectId: row.project_id,
      documentId: row.document_id ?? row.project_id,
      status: exportStatus.parse(row.status),
      options,
      downloadUrl: url ? `${url}&download=${encodeURIComponent(name)}` : null,
      pageCount: row.page_count,
      pagesDone: row.pages_done,
      imagesDone: row.images_done,
      imagesTotal: row.images_total,
      bytes: row.result_bytes,
      warnings: z.array(exportWarning).parse(row.warnings),
      error: row.error,
      versionId: row.version_id,
      createdAt: row.created_at,
      finishedAt: row.finished_at,
    };
  });
}

/**
 * Returns a page of a project's exports, newest first. Leaves out exports that this user cannot see. With `documentId`,
 * returns only exports of that document. Throws `invalid_request` or `unavailable`.
 */
export async function listExports(
  db: Db,
  query: ListExportsQuery,
): Promise<{ jobs: ExportJob[]; nextCursor: string | null }> {
  const { rows, nextCursor } = cutPage(await selectJobs(db, query), query.limit);
  return { jobs: await toJobs(db, rows), nextCursor };
}

/** Returns an export. Throws `unavailable`, or `not_found` if this user can see no export with this id. */
export async function requireExport(db: Db, jobId: string): Promise<ExportJob> {
  const [job] = await toJobs(db, await selectJobs(db, { id: jobId }));
  if (!job) throw new HttpError('not_found');
  return job;
}
