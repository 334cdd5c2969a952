import { signedUrls, VIEW_URL_S } from '@/lib/storage/objects';
import { allRows } from '@/lib/supabase/all-rows';
import type { Tables } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import type { Db } from '@/lib/supabase/request';
import { type FoundSpecs, findSpecs } from './find-specs';
import { passageOf } from './passage';
import {
  type ListSpecsQuery,
  type Spec,
  type SpecMatch,
  type SpecsResponse,
  specStatus,
  type TextState,
  textState,
} from './schema';

type SpecRow = Omit<Tables<'specs'>, 'search_text' | 'run' | 'error_code' | 'file_key' | 'brand_key'>;
type JobRow = Pick<
  Tables<'upload_jobs'>,
  'spec_upload_id' | 'run' | 'status' | 'error' | 'created_at' | 'finished_at'
>;

const specColumns =
  'id,document_id,processing_status,status_seq,property_name,sections_count,error,progress,progress_at,note,started_at,deadline_at,created_by,created_at,updated_at,brand_name,area,file_name,size_bytes,sha256,is_protected,storage_path,series_id,version,is_current' as const;
const jobColumns = 'spec_upload_id,run,status,error,created_at,finished_at' as const;

type Additions = {
  jobs: JobRow[];
  url: string | null;
  text: TextState | undefined;
  match: SpecMatch | undefined;
  replacedBy: Spec['replacedBy'];
};

function toSpec(row: SpecRow, { jobs, url, text, match, replacedBy }: Additions): Spec {
  return {
    specUploadId: row.id,
    documentId: row.document_id,
    brandName: row.brand_name,
    area: row.area,
    propertyName: row.property_name,
    fileName: row.file_name,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    isProtected: row.is_protected,
    status: specStatus.parse(row.processing_status),
    statusSeq: row.status_seq,
    sectionsCount: row.sections_count,
    error: row.error,
    progress: row.progress,
    progressAt: row.progress_at,
    note: row.note,
    startedAt: row.started_at,
    deadlineAt: row.deadline_at,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    url,
    attempts: jobs.map((job) => ({
      attempt: job.run,
      status: specStatus.parse(job.status),
      error: job.error,
      createdAt: job.created_at,
      finishedAt: job.finished_at,
    })),
    textState: text,
    match,
    version: row.version,
    replacedBy,
  };
}

/** Returns, by series, the current versions of the replaced specs among the rows. */
async function currentVersionsOf(
  db: Db,
  rows: SpecRow[],
): Promise<Map<string, NonNullable<Spec['replacedBy']>>> {
  const series = [...new Set(rows.filter((row) => !row.is_current).map((row) => row.series_id))];
  if (series.length === 0) return new Map();
  const found = dataOf(
    await db
      .from('spec_uploads')
      .select('id,version,series_id')
      .in('series_id', series)
      .is('is_current', true),
  );
  return new Map(found.map(({ id, version, series_id }) => [series_id, { specUploadId: id, version }]));
}

/** Adds the attempts, a signed URL, the text state, the search match and the current version to each row. */
async function complete(db: Db, rows: SpecRow[], matches?: Map<string, SpecMatch>): Promise<Spec[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const documentIds = rows.map((row) => row.document_id);
  const [jobs, urls, texts, currentVersions] = await Promise.all([
    allRows<JobRow>((from, to) =>
      db
        .from('upload_jobs')
        .select(jobColumns)
        .in('spec_upload_id', ids)
        .order('run')
        .order('spec_upload_id')
        .range(from, to),
    ),
    signedUrls(
      rows.map((row) => row.storage_path),
      VIEW_URL_S,
    ),
    db.from('documents').select('id,text_state').in('id', documentIds).then(dataOf),
    currentVersionsOf(db, rows),
  ]);
  const jobsOf = Map.groupBy(jobs, (job) => job.spec_upload_id);
  const textOf = new Map(texts.map(({ id, text_state }) => [id, textState.parse(text_state)]));
  return rows.map((row, i) =>
    toSpec(row, {
      jobs: jobsOf.get(row.id) ?? [],
      url: urls[i] ?? null,
      text: textOf.get(row.document_id),
      match: matches?.get(row.id),
      replacedBy: row.is_current ? null : currentVersions.get(row.series_id),
    }),
  );
}

/** Returns the specs that were found, in their order, without those that were deleted meanwhile. */
async function readSpecs(db: Db, found: FoundSpecs['specs'], q = ''): Promise<Spec[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const rows = dataOf(await db.from('specs').select(specColumns).in('id', ids));
  const positions = new Map(ids.map((id, n) => [id, n]));
  rows.sort((a, b) => (positions.get(a.id) ?? 0) - (positions.get(b.id) ?? 0));
  const matches = found.flatMap(({ id, page, text }): [string, SpecMatch][] =>
    page === null || text === null ? [] : [[id, { page, ...passageOf(text, q) }]],
  );
  return complete(db, rows, new Map(matches));
}

/**
 * Returns one page of matching specs, and the number of specs in each status that match the other filters. Throws
 * `invalid_request`, `unavailable`.
 */
export async function listSpecs(db: Db, query: ListSpecsQuery): Promise<SpecsResponse> {
  const { specs, counts, isExact, nextCursor } = await findSpecs(db, query);
  return {
    specs: await readSpecs(db, specs, query.q),
    counts: { pending: 0, processing: 0, completed: 0, failed: 0, ...counts },
    countsAreMinimums: !isExact,
    nextCursor,
  };
}

/** Returns one spec with its attempts, or null when this user cannot see a spec with this id. Throws `unavailable`. */
export async function getSpec(db: Db, id: string): Promise<Spec | null> {
  const rows = dataOf(await db.from('specs').select(specColumns).eq('id', id).limit(1));
  return (await complete(db, rows))[0] ?? null;
}
