import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { HttpError } from '@/lib/http/problem';
import { checkImage } from '@/lib/storage/image-file';
import { inputImagePath } from '@/lib/storage/keys';
import { putObject, removeObjects, signedUrls, VIEW_URL_S } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
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

const outcome = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('created'),
    id: z.uuid(),
    path: z.string(),
    file_name: z.string(),
    width: z.int(),
    height: z.int(),
    created_at: z.string(),
  }),
  z.object({ outcome: z.literal('idempotency_mismatch') }),
]);

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');

/**
 * Keeps a PNG, JPEG or WebP that really decodes as an image of a project. A repeated idempotency key gives the first
 * image again. Throws `invalid_image` or `idempotency_mismatch`; then nothing stays behind.
 */
export async function keepImage({ projectId, userId, bytes, ...given }: NewImage): Promise<ProjectImage> {
  const { fileName, idempotency, reuse = false } = given;
  const { mimeType, width, height } = await checkImage(bytes);
  const id = randomUUID();
  const path = inputImagePath(projectId, id, mimeType);
  const hash = sha256(bytes);
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
    // All that the request says, so that the same key with anything else is noticed.
    p_request_sha256: sha256(JSON.stringify([projectId, ...(said ? [said] : [fileName, hash])])),
  });
  // Refused for good (the project is gone): the file goes too. Without an answer the rows decide, in the sweep.
  if (answer.error && answer.status >= 400 && answer.status < 500) await removeObjects([path]);
  const result = outcome.parse(dataOf(answer));
  const isOurs = result.outcome === 'created' && result.path === path;
  if (!isOurs) await removeObjects([path]);
  if (result.outcome === 'idempotency_mismatch') throw new HttpError('idempotency_mismatch');
  const [url] = await signedUrls([result.path], VIEW_URL_S);
  return {
    id: result.id,
    path: result.path,
    url: url ?? null,
    width: result.width,
    height: result.height,
    fileName: result.file_name,
    createdAt: result.created_at,
  };
}
