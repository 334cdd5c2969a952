import { afterKeyset, cutPage, decodeCursor } from '@/lib/http/page';
import { signedUrls, VIEW_URL_S } from '@/lib/storage/objects';
import { allRows } from '@/lib/supabase/all-rows';
import type { Tables } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import type { Db } from '@/lib/supabase/request';
import { type ListSpecsQuery, type Spec, type SpecCounts, type SpecsResponse, specStatus } from './schema';

type SpecRow = Omit<Tables<'specs'>, 'search_text' | 'run' | 'error_code'>;
type JobRow = Omit<Tables<'upload_jobs'>, 'id'>;

const specColumns =
  'id,document_id,processing_status,status_seq,property_name,sections_count,error,progress,progress_at,note,started_at,deadline_at,created_by,created_at,updated_at,brand_name,area,file_name,size_bytes,sha256,is_protected,storage_path' as const;
const jobColumns = 'spec_upload_id,run,status,error,created_at,finished_at' as const;

function toSpec(row: SpecRow, jobs: JobRow[], url: string | null): Spec {
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
  };
}

/** Adds the attempts and a signed URL to each row, with two queries for a whole page. */
async function complete(db: Db, rows: SpecRow[]): Promise<Spec[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const [jobs, urls] = await Promise.all([
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
  ]);
  const jobsOf = Map.groupBy(jobs, (job) => job.spec_upload_id);
  return rows.map((row, i) => toSpec(row, jobsOf.get(row.id) ?? [], urls[i] ?? null));
}

/**
 * Returns a LIKE pattern that matches the text anywhere, with the text's own wildcards escaped. PostgREST treats an
 * asterisk as a wildcard that cannot be escaped, so it becomes `_`, which matches any one character.
 */
function containing(text: string): string {
  return `%${text
    .trim()
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '_')}%`;
}

/**
 * Returns the matching specs, newest first, and the number per status regardless of the status filter. Throws
 * `invalid_request` or `unavailable`.
 */
export async function listSpecs(db: Db, query: ListSpecsQuery): Promise<SpecsResponse> {
  const pattern = query.q?.trim() ? containing(query.q) : undefined;
  let page = db
    .from('specs')
    .select(specColumns)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(query.limit + 1);
  if (query.status) page = page.eq('processing_status', query.status);
  if (query.brand) page = page.eq('brand_name', query.brand);
  if (query.area) page = page.eq('area', query.area);
  // Let the database ignore case, as it lowercased the text: JavaScript and Postgres differ for some letters.
  if (pattern) page = page.ilike('search_text', pattern);
  if (query.cursor) page = page.or(afterKeyset(decodeCursor(query.cursor)));
  const [pageResult, counts] = await Promise.all([
    page,
    db.rpc('spec_counts', { p_brand: query.brand, p_area: query.area, p_pattern: pattern }).then(dataOf),
  ]);
  const { rows, nextCursor } = cutPage(dataOf(pageResult), query.limit);
  const count = (status: keyof SpecCounts) => counts.find((row) => row.status === status)?.n ?? 0;
  return {
    specs: await complete(db, rows),
    counts: {
      pending: count('pending'),
      processing: count('processing'),
      completed: count('completed'),
      failed: count('failed'),
    },
    nextCursor,
  };
}

/** Returns one spec with its attempts, or null when this user cannot see a spec with this id. Throws `unavailable`. */
export async function getSpec(db: Db, id: string): Promise<Spec | null> {
  const rows = dataOf(await db.from('specs').select(specColumns).eq('id', id).limit(1));
  return (await complete(db, rows))[0] ?? null;
}
