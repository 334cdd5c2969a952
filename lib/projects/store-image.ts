import { createHash, randomUUID } from 'node:crypto';
import { checkImage } from '@/lib/storage/image-file';
import { inputImagePath } from '@/lib/storage/keys';
import { putObject, removeObjects } from '@/lib/storage/objects';
import { startsLikeXml } from '@/lib/storage/svg/clean-svg';
import { drawSvg } from '@/lib/storage/svg/svg-file';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import type { ProjectImage } from './schema';
import { projectImageOf, requestHash, storedImageOutcome } from './stored-image';

type NewImage = {
  projectId: string;
  userId: string;
  bytes: Uint8Array;
  fileName: string;
  /**
   * `bodySha256` is the hash of a request body that identifies the image instead of containing it. Without
   * `bodySha256`, the file name and the image are hashed.
   */
  idempotency: { key: string; bodySha256?: string } | null;
  /** Whether to return the project's existing image with the same bytes, if there is one. */
  reuse?: boolean;
};

type Checked = { bytes: Uint8Array; mimeType: string; width: number; height: number; svg: string | null };

/** Checks an image. Returns what to store: the file itself or, for an SVG, the cleaned SVG and a PNG of it. */
async function check(bytes: Uint8Array, owner: string): Promise<Checked> {
  if (startsLikeXml(bytes)) {
    const { png, ...drawn } = await drawSvg(bytes, owner);
    return { ...drawn, bytes: png, mimeType: 'image/png' };
  }
  const { mimeType, width, height } = await checkImage(bytes, { line: 'uploads', owner });
  return { bytes, mimeType, width, height, svg: null };
}

/**
 * Stores a PNG, JPEG or WebP that decodes completely, or an SVG, as an image of a project. A repeated idempotency key
 * returns the first image again. May have stored the image if it throws `unavailable`. Has stored nothing if it throws
 * `invalid_image`, `idempotency_mismatch` or `project_closed`.
 */
export async function storeImage({ projectId, userId, ...options }: NewImage): Promise<ProjectImage> {
  const { fileName, idempotency, reuse = false } = options;
  const { bytes, mimeType, width, height, svg } = await check(options.bytes, userId);
  const id = randomUUID();
  const path = inputImagePath(projectId, id, mimeType);
  const hash = createHash('sha256')
    .update(svg ?? bytes)
    .digest('hex');
  const bodyHash = idempotency?.bodySha256;
  await putObject(path, bytes, { contentType: mimeType });
  const response = await adminDb().rpc('create_project_image', {
    p_user: userId,
    p_project: projectId,
    p_id: id,
    p_storage_path: path,
    p_file_name: fileName,
    p_mime_type: mimeType,
    p_size_bytes: bytes.length,
    p_width: width,
    p_height: height,
    p_sha256: hash,
    p_svg: svg ?? undefined,
    p_reuse: reuse,
    p_idempotency_key: idempotency?.key,
    p_request_sha256: requestHash(projectId, bodyHash ? [bodyHash] : [fileName, hash]),
  });
  // After a 4xx response, for example because the project is gone, no row refers to the file, so remove it. After any
  // other error, a row may refer to it, so keep it. If no row does, the sweep removes the file later.
  if (response.error && response.status >= 400 && response.status < 500) await removeObjects([path]);
  const result = storedImageOutcome.parse(dataOf(response));
  const isOurs = result.outcome === 'created' && result.path === path;
  if (!isOurs) await removeObjects([path]);
  return projectImageOf(result);
}
