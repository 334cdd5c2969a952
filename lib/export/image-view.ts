import type { ViewWidth } from '@/lib/document/image-views';
import { HttpError } from '@/lib/errors/problem';
import { sizedImage } from '@/lib/pdf/images/derive-image';
import { readObject } from '@/lib/storage/objects';
import { findImages } from './snapshot';
import { cachedView } from './view-cache';

const MAX_FILE_BYTES = 50 * 1024 * 1024;

async function derive(bytes: Uint8Array, width: number): Promise<Blob> {
  const webp = await sizedImage(bytes, width).webp({ quality: 90, effort: 2 }).toBuffer();
  return new Blob([new Uint8Array(webp)]);
}

type ViewOf = { projectId: string; key: string; width: ViewWidth; userId: string; signal: AbortSignal };

/**
 * Returns an image of a project for the screen as WebP: upright, in print colors, at most `width` pixels wide, without
 * metadata. Throws `not_found` if the project has no such image or its file cannot be read, and `unavailable`.
 */
export async function imageView({ projectId, key, width, userId, signal }: ViewOf): Promise<Blob> {
  const [image] = await findImages(projectId, [key]);
  if (!image) throw new HttpError('not_found');
  return cachedView(`${width} ${image.path}`, userId, async () => {
    // The user may have moved to another page while the request was waiting; the browser then ignores the response.
    if (signal.aborted) throw new HttpError('not_found');
    const bytes = await readObject(image.path, MAX_FILE_BYTES);
    const made = bytes && (await derive(bytes, width).catch(() => null));
    if (!made) throw new HttpError('not_found');
    return made;
  });
}
