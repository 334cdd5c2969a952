import { cutPage, decodeCursor } from '@/lib/http/page';
import { retention } from '@/lib/queue/retention';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { variantRow, withUrls } from './queries';
import type { GalleryImage, GalleryQuery } from './schema';

function restorableUntil(deletedAt: string): string {
  return new Date(Date.parse(deletedAt) + retention.deletedImagesS * 1000).toISOString();
}

/**
 * Returns one page of a project's images, newest first. Does not check access; the caller must. Throws
 * `invalid_request`, `unavailable`.
 */
export async function listGallery(
  projectId: string,
  query: GalleryQuery,
): Promise<{ images: GalleryImage[]; nextCursor: string | null }> {
  const before = query.cursor === undefined ? null : decodeCursor(query.cursor);
  const found = dataOf(
    await adminDb().rpc('list_gallery', {
      p_project: projectId,
      p_deleted: query.deleted,
      p_deleted_within_s: retention.deletedImagesS,
      p_starred: query.starred,
      p_created_by: query.createdBy,
      p_words: query.q?.split(/\s+/).filter(Boolean),
      p_before: before?.createdAt,
      p_before_id: before?.id,
      p_limit: query.limit + 1,
    }),
  );
  const { rows, nextCursor } = cutPage(found, query.limit);
  const variants = await withUrls(rows.map((row) => variantRow.parse(row)));
  const images = rows.flatMap((row, i) => {
    const variant = variants[i];
    if (!variant) return [];
    return {
      jobId: row.job_id,
      ordinal: row.ordinal,
      prompt: row.prompt,
      createdBy: row.created_by,
      deletedAt: row.deleted_at,
      restorableUntil: row.deleted_at && restorableUntil(row.deleted_at),
      variant,
    };
  });
  return { images, nextCursor };
}
