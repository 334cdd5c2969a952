import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { HttpError } from '@/lib/errors/problem';
import { readMultipart } from '@/lib/http/multipart';
import { checkImage } from '@/lib/storage/image-file';
import { spool } from '@/lib/storage/spool';
import { adminDb } from '@/lib/supabase/admin';
import { databaseError, dataOf } from '@/lib/supabase/database-error';
import { picturePath } from './queries';
import { MAX_PICTURE_BYTES } from './schema';

const PICTURE_PX = 192;

/** Sets the name of an account, or removes it if `name` is undefined. Throws `unavailable`. */
export async function setName(userId: string, name?: string): Promise<void> {
  const { error, status } = await adminDb().rpc('set_profile_name', { p_account: userId, p_name: name });
  if (error) throw databaseError(error, status);
}

/**
 * Stores an uploaded PNG, JPEG or WebP as the picture of an account, cropped to a small square. Returns the path of the
 * new picture. Throws `invalid_image`, `invalid_multipart`, `too_large`, `too_slow`, `unavailable`, or
 * `invalid_request` if the file is missing.
 */
export async function uploadPicture(request: Request, userId: string): Promise<string | null> {
  const { file } = await readMultipart(request, {
    fileField: 'file',
    maxBytes: MAX_PICTURE_BYTES + 64 * 1024,
    onFile: async (stream) => {
      const { handle, sizeBytes } = await spool(stream, MAX_PICTURE_BYTES);
      try {
        return (await handle.read(Buffer.alloc(sizeBytes), 0, sizeBytes, 0)).buffer;
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
  const { thumbnail } = await checkImage(file, { line: 'uploads', owner: userId });
  const picture = await sharp(thumbnail)
    .resize({ width: PICTURE_PX, height: PICTURE_PX, fit: 'cover' })
    .webp({ quality: 82 })
    .toBuffer();
  const args = { p_account: userId, p_picture: picture.toString('base64') };
  return picturePath(userId, dataOf(await adminDb().rpc('set_profile_picture', args)));
}

/** Removes the picture of an account. Throws `unavailable`. */
export async function removePicture(userId: string): Promise<void> {
  const { error, status } = await adminDb().rpc('set_profile_picture', { p_account: userId });
  if (error) throw databaseError(error, status);
}

/** Returns the picture of an account as WebP. Throws `not_found` if there is none, or `unavailable`. */
export async function readPicture(userId: string): Promise<{ file: Blob; version: string }> {
  const { data, error, status } = await adminDb().rpc('profile_picture', { p_account: userId });
  if (error) throw databaseError(error, status);
  if (!data) throw new HttpError('not_found');
  const picture = Buffer.from(data, 'base64');
  // Compute the same version that `set_profile_picture` stores.
  const version = createHash('sha256').update(picture).digest('hex').slice(0, 16);
  return { file: new Blob([picture]), version };
}
