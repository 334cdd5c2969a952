import { randomUUID } from 'node:crypto';
import { keptFileName } from '@/lib/http/file-name';
import { readMultipart } from '@/lib/http/multipart';
import { HttpError } from '@/lib/http/problem';
import { checkImage } from '@/lib/storage/image-file';
import { inputImagePath } from '@/lib/storage/keys';
import { putObject, removeObjects, signedUrls, VIEW_URL_S } from '@/lib/storage/objects';
import { spool } from '@/lib/storage/spool';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { MAX_IMAGE_BYTES, type ProjectImage } from './schema';

/**
 * Takes an input image into a project: PNG, JPEG or WebP that really decodes, at most 15 MB.
 * Throws `invalid_image`, `invalid_multipart`, `too_large`; then nothing stays behind.
 */
export async function uploadImage(
  request: Request,
  projectId: string,
  userId: string,
): Promise<ProjectImage> {
  const { file } = await readMultipart(request, {
    fileField: 'file',
    maxBytes: MAX_IMAGE_BYTES + 64 * 1024,
    onFile: async (stream, { fileName }) => {
      const { handle, sha256, sizeBytes } = await spool(stream, MAX_IMAGE_BYTES);
      try {
        const { buffer: bytes } = await handle.read(Buffer.alloc(sizeBytes), 0, sizeBytes, 0);
        return { fileName, sha256, bytes };
      } finally {
        await handle.close();
      }
    },
  });
  if (!file) {
    throw new HttpError('invalid_request', 'file: is missing.', {
      errors: [{ path: 'file', message: 'is missing' }],
    });
  }
  const image = await checkImage(file.bytes);
  const id = randomUUID();
  const path = inputImagePath(projectId, id, image.mimeType);
  const fileName = keptFileName(file.fileName, 'image');
  await putObject(path, file.bytes, { contentType: image.mimeType });
  const answer = await adminDb()
    .from('document_images')
    .insert({
      id,
      project_id: projectId,
      storage_path: path,
      file_name: fileName,
      mime_type: image.mimeType,
      size_bytes: file.bytes.length,
      width: image.width,
      height: image.height,
      sha256: file.sha256,
      created_by: userId,
    })
    .select('created_at');
  // Refused for good (the project is gone): the file goes too. Without an answer the rows decide, in the sweep.
  if (answer.error && answer.status >= 400 && answer.status < 500) await removeObjects([path]);
  const createdAt = dataOf(answer)[0]?.created_at ?? new Date().toISOString();
  const [url] = await signedUrls([path], VIEW_URL_S);
  return { id, path, url: url ?? null, width: image.width, height: image.height, fileName, createdAt };
}
