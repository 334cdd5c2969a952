import { HttpError } from '@/lib/errors/problem';
import { fetchThumbnail } from './color/fetch-thumbnail';
import { orHttpError } from './http-error';
import type { Library } from './library';
import { requireAsset } from './require-asset';

/** The width and height of the picture in pixels. They are enough for a frame of 97 mm at 200 dpi. */
const PICTURE_PX = 768;

/**
 * Returns an asset's name and an image of the asset. The image is a larger version of the thumbnail, from the thumbnail
 * URL, which is on an allowed host. Throws `not_found` if the asset or the image does not exist, and `unavailable` if
 * the library or the image is unavailable.
 */
export async function getPicture(library: Library, id: string): Promise<{ bytes: Uint8Array; name: string }> {
  const { item } = (await requireAsset(library, id, 'materialId')).asset;
  const bytes = await orHttpError(fetchThumbnail(item.thumbnail_url, PICTURE_PX, library));
  if (!bytes) {
    const errors = [{ path: 'materialId', message: 'names a material without an image' }];
    throw new HttpError('not_found', 'The library has no image of this material.', { errors });
  }
  return { bytes, name: item.name };
}
