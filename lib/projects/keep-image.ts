import { createHash, randomUUID } from 'node:crypto';
import { checkImage } from '@/lib/storage/image-file';
import { inputImagePath } from '@/lib/storage/keys';
import { putObject, removeObjects } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { imageOf, keptImageOutcome, saidHash } from './kept-image';
import type { ProjectImage } from './schema';

type NewImage = {
  projectId: string;
  userId: string;
  bytes: Uint8Array;
  fileName: string;
  /** With the hash of the body where that only names the picture; else the file is what the request says. */
  idempotency: { key: string; bodySha256?: string } | null;
  /** Answers the image that the project has of the same bytes, where it has one. */
  reuse?: boolean;
};

/**
 * Keeps a PNG, JPEG or WebP that really decodes as an image of a project. A repeated idempotency key gives the first
 * image again. Throws `invalid_image` or `idempotency_mismatch`; then nothing stays behind.
 */
export async function keepImage({ projectId, userId, bytes, ...given }: NewImage): Promise<ProjectImage> {
  const { fileName, idempotency, reuse = false } = given;
  const { mimeType, width, height } = await checkImage(bytes, { line: 'uploads', owner: userId });
  const id = randomUUID();
  const path = inputImagePath(projectId, id, mimeType);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const said = idempotency?.bodySha256;
  await putObject(path, bytes, { contentType: mimeType });
  const answer = await adminDb().rpc('create_project_image', {
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
    p_reuse: reuse,
    p_idempotency_key: idempotency?.key,
    p_request_sha256: saidHash(projectId, said ? [said] : [fileName, hash]),
  });
  // Refused for good (the project is gone): the file goes too. Without an answer the rows decide, in the sweep.
  if (answer.error && answer.status >= 400 && answer.status < 500) await removeObjects([path]);
  const result = keptImageOutcome.parse(dataOf(answer));
  const isOurs = result.outcome === 'created' && result.path === path;
  if (!isOurs) await removeObjects([path]);
  return imageOf(result);
}
