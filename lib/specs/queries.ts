import { timesOf } from '@/lib/http/day';
import { cutPage } from '@/lib/http/page';
import { signedUrls, VIEW_URL_S } from '@/lib/storage/objects';
import { allRows } from '@/lib/supabase/all-rows';
import type { Tables } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import type { Db } from '@/lib/supabase/request';
import { cutSpecs, type PageOfSpecs, pageOf, patternOf } from './page-of-specs';
import { type ListSpecsQuery, type Spec, type SpecCounts, type SpecsResponse, specStatus } from './schema';

type SpecRow = Omit<Tables<'specs'>, 'search_text' | 'run' | 'error_code' | 'file_key' | 'brand_key'>;
type JobRow = Pick<
  Tables<'upload_jobs'>,
  'spec_upload_id' | 'run' | 'status' | 'error' | 'created_at' | 'finished_at'
>;

const specColumns =
  'id,document_id,processing_status,status_seq,property_name,sections_count,error,progress,progress_at,note,started_at,deadline_at,created_by,created_at,updated_at,brand_name,area,file_name,size_bytes,sha256,is_protected,storage_path,file_key,brand_key' as const;
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

/** Adds the attempts and a signed URL to each row, with two queries for the whole page. */
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
 * Returns one page of matching specs, and the number of specs in each status that match the other filters. Throws
 * `invalid_request`, `unavailable`.
 */
export async function listSpecs(db: Db, query: ListSpecsQuery): Promise<SpecsResponse> {
  const page = pageOf(db.from('specs').select(specColumns), query);
  const { from, before } = timesOf(query);
  const [pageResult, counts] = await Promise.all([
    page,
    db
      .rpc('spec_counts', {
        p_brand: query.brand,
        p_area: query.area,
        p_pattern: patternOf(query),
        p_from: from,
        p_before: before,
      })
      .then(dataOf),
  ]);
  const { rows, nextCursor } = cutSpecs(dataOf(pageResult), query);
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

/** Returns the ids of one page of matching specs, newest first. Throws `invalid_request`, `unavailable`. */
export async function listSpecIds(
  db: Db,
  query: Omit<PageOfSpecs, 'sort'>,
): Promise<{ ids: string[]; nextCursor: string | null }> {
  const found = dataOf(await pageOf(db.from('specs').select('id,created_at'), query));
  const { rows, nextCursor } = cutPage(found, query.limit);
  return { ids: rows.map(({ id }) => id), nextCursor };
}

/** Returns one spec with its attempts, or null when this user cannot see a spec with this id. Throws `unavailable`. */
export async function getSpec(db: Db, id: string): Promise<Spec | null> {
  const rows = dataOf(await db.from('specs').select(specColumns).eq('id', id).limit(1));
  return (await complete(db, rows))[0] ?? null;
}
