import { z } from 'zod';
import { signedUrls, VIEW_URL_S } from '@/lib/storage/objects';
import { type Spec, type SpecMatch, specRetrying, specStatus, textState } from './schema';

/** A spec as the database returns it. */
export const specRow = z.object({
  id: z.string(),
  document_id: z.string(),
  brand_name: z.string(),
  area: z.string(),
  property_name: z.string().nullable(),
  file_name: z.string(),
  size_bytes: z.int(),
  sha256: z.string(),
  storage_path: z.string(),
  is_protected: z.boolean(),
  processing_status: specStatus,
  status_seq: z.int(),
  sections_count: z.int().nullable(),
  error: z.string().nullable(),
  progress: z.number().nullable(),
  progress_at: z.string().nullable(),
  note: z.string().nullable(),
  retrying: specRetrying,
  started_at: z.string().nullable(),
  deadline_at: z.string().nullable(),
  created_by: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
  text_state: textState,
  attempts: z.array(
    z.object({
      run: z.int(),
      status: specStatus,
      error: z.string().nullable(),
      created_at: z.string(),
      finished_at: z.string().nullable(),
    }),
  ),
  replaced_by: z.object({ id: z.string(), version: z.int() }).nullable(),
});
export type SpecRow = z.infer<typeof specRow>;

/**
 * Converts database rows to specs with signed URLs. `matches` contains the passages that a search found, by spec id.
 * Throws `unavailable`.
 */
export async function specsOf(rows: SpecRow[], matches?: Map<string, SpecMatch>): Promise<Spec[]> {
  if (rows.length === 0) return [];
  const urls = await signedUrls(
    rows.map((row) => row.storage_path),
    VIEW_URL_S,
  );
  return rows.map((row, i) => ({
    specUploadId: row.id,
    documentId: row.document_id,
    brandName: row.brand_name,
    area: row.area,
    propertyName: row.property_name,
    fileName: row.file_name,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    isProtected: row.is_protected,
    status: row.processing_status,
    statusSeq: row.status_seq,
    sectionsCount: row.sections_count,
    error: row.error,
    progress: row.progress,
    progressAt: row.progress_at,
    note: row.note,
    retrying: row.retrying,
    startedAt: row.started_at,
    deadlineAt: row.deadline_at,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    url: urls[i] ?? null,
    attempts: row.attempts.map((attempt) => ({
      attempt: attempt.run,
      status: attempt.status,
      error: attempt.error,
      createdAt: attempt.created_at,
      finishedAt: attempt.finished_at,
    })),
    textState: row.text_state,
    match: matches?.get(row.id),
    version: row.version,
    replacedBy: row.replaced_by && { specUploadId: row.replaced_by.id, version: row.replaced_by.version },
  }));
}
