import { HttpError } from '@/lib/errors/problem';
import { displayFileName } from '@/lib/http/file-name';
import { readMultipart } from '@/lib/http/multipart';
import { spool } from '@/lib/storage/spool';
import { MAX_IMAGE_BYTES, type ProjectImage } from './schema';
import { storeImage } from './store-image';

type Upload = { request: Request; projectId: string; userId: string; idempotencyKey: string | null };

/**
 * Stores an uploaded image of at most 15 MiB in a project: a PNG, JPEG or WebP that decodes completely, or an SVG.
 * May have stored the image if it throws `unavailable`. Has stored nothing if it throws `invalid_request` (the file is
 * missing), `invalid_image`, `invalid_multipart`, `too_large`, `too_slow`, `idempotency_mismatch` or `project_closed`.
 */
export async function uploadImage({ request, idempotencyKey, ...target }: Upload): Promise<ProjectImage> {
  const { file } = await readMultipart(request, {
    fileField: 'file',
    maxBytes: MAX_IMAGE_BYTES + 64 * 1024,
    onFile: async (stream, { fileName }) => {
      const { handle, sizeBytes } = await spool(stream, MAX_IMAGE_BYTES);
      try {
        const { buffer: bytes } = await handle.read(Buffer.alloc(sizeBytes), 0, sizeBytes, 0);
        return { fileName, bytes };
      } finally {
        await handle.close();
      }
    },
  });
  if (!file) {
    throw new HttpError('invalid_request', 'file is missing.', {
      errors: [{ path: 'file', message: 'is missing' }],
    });
  }
  return storeImage({
    ...target,
    bytes: file.bytes,
    fileName: displayFileName(file.fileName, 'image'),
    idempotency: idempotencyKey === null ? null : { key: idempotencyKey },
  });
}
