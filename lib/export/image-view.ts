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
 * Returns a project's image as WebP for display on screen: upright, at most `width` pixels wide, converted to sRGB in
 * the same way as printed images, and without metadata. Throws `unavailable`, or `not_found` if the project has no such
 * image or its file cannot be read.
 */
export async function imageView({ projectId, key, width, userId, signal }: ViewOf): Promise<Blob> {
  const [image] = await findImages(projectId, [key]);
  if (!image) throw new HttpError('not_found');
  return cachedView(`${width} ${image.path}`, userId, async () => {
    // The request may have waited in the queue. Skip the work if the browser canceled the request while it waited, for
    // example because the user left the page.
    if (signal.aborted) throw new HttpError('not_found');
    const bytes = await readObject(image.path, MAX_FILE_BYTES);
    const made = bytes && (await derive(bytes, width).catch(() => null));
    if (!made) throw new HttpError('not_found');
    return made;
  });
}
