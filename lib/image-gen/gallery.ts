import { timesOf } from '@/lib/http/day';
import { cutPage, decodeCursor } from '@/lib/http/page';
import { restorableUntil, retention } from '@/lib/queue/retention';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { variantRow, withUrls } from './queries';
import { type GalleryImage, type GalleryMaterial, type GalleryQuery, MAX_GALLERY_MATERIALS } from './schema';

/**
 * Returns one page of a project's images, newest first. Does not check access; the caller must. Throws
 * `invalid_request` or `unavailable`.
 */
export async function listGallery(
  projectId: string,
  query: GalleryQuery,
): Promise<{ images: GalleryImage[]; nextCursor: string | null }> {
  const before = query.cursor === undefined ? null : decodeCursor(query.cursor);
  const times = timesOf(query);
  const found = dataOf(
    await adminDb().rpc('list_gallery', {
      p_project: projectId,
      p_deleted: query.deleted,
      p_deleted_within_s: retention.deletedImagesS,
      p_starred: query.starred,
      p_created_by: query.createdBy,
      p_from: times.from,
      p_to: times.before,
      p_material: query.material,
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
      restorableUntil: row.deleted_at && restorableUntil(row.deleted_at, retention.deletedImagesS),
      variant,
    };
  });
  return { images, nextCursor };
}

/**
 * Returns the materials that a project's images use, sorted by name. Includes the materials of deleted images. Returns
 * at most `MAX_GALLERY_MATERIALS`. Does not check access; the caller must. Throws `unavailable`.
 */
export async function listGalleryMaterials(projectId: string): Promise<GalleryMaterial[]> {
  const args = { p_project: projectId, p_limit: MAX_GALLERY_MATERIALS };
  return dataOf(await adminDb().rpc('gallery_materials', args));
}
