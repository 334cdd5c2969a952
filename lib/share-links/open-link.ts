import { cutPage, decodeCursor } from '@/lib/http/page';
import { uuid } from '@/lib/http/uuid';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { type SharedImage, type ShareKind, shareKind } from './schema';
import { isShareToken, shareKey } from './share-token';

/** What a share link shows. */
export type Share = {
  id: string;
  kind: ShareKind;
  projectId: string;
  /** The document to show if the kind is `document`. */
  documentId: string;
  projectName: string;
  allowDownload: boolean;
  showPrompts: boolean;
};

/** The file of an image that a share link shows. */
export type SharedFile = {
  path: string;
  thumbPath: string | null;
  /** The image's name, which consists of the project's name and the image's number. */
  name: string;
  allowDownload: boolean;
};

/**
 * Returns what a share link shows. Returns null if the token is unknown, if the link has expired or was revoked, or if
 * the project, the document or all chosen images were deleted. With `count`, counts the visit. Throws `unavailable`.
 */
export async function openShare(token: string, { count }: { count: boolean }): Promise<Share | null> {
  if (!isShareToken(token)) return null;
  const args = { p_key: shareKey(token), p_count: count };
  const [row] = dataOf(await adminDb().rpc('open_share_link', args));
  if (!row) return null;
  return {
    id: row.id,
    kind: shareKind.parse(row.kind),
    projectId: row.project_id,
    documentId: row.document_id,
    projectName: row.project_name,
    allowDownload: row.allow_download,
    showPrompts: row.show_prompts,
  };
}

/** Returns a page of the images that a share link shows, newest first. Throws `invalid_request` or `unavailable`. */
export async function listSharedImages(
  token: string,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<{ images: SharedImage[]; nextCursor: string | null }> {
  const before = cursor === undefined ? null : decodeCursor(cursor);
  const found = dataOf(
    await adminDb().rpc('list_shared_images', {
      p_key: shareKey(token),
      p_limit: limit + 1,
      p_before: before?.createdAt,
      p_before_id: before?.id,
    }),
  );
  const { rows, nextCursor } = cutPage(found, limit);
  return { images: rows.map(({ id, width, height, prompt }) => ({ id, width, height, prompt })), nextCursor };
}

/**
 * Returns the file of an image, or null if the share link is invalid or does not show that image. Throws `unavailable`.
 */
export async function findSharedFile(token: string, imageId: string): Promise<SharedFile | null> {
  if (!isShareToken(token) || !uuid.safeParse(imageId).success) return null;
  const args = { p_key: shareKey(token), p_image: imageId };
  const [row] = dataOf(await adminDb().rpc('shared_image', args));
  if (!row) return null;
  return {
    path: row.path,
    thumbPath: row.thumb_path,
    name: `${row.project_name} ${row.ordinal}.${row.number}`,
    allowDownload: row.allow_download,
  };
}
