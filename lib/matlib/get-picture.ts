import { HttpError } from '@/lib/http/problem';
import { fetchThumbnail } from './color/fetch-thumbnail';
import { orHttpError } from './http-error';
import type { Library } from './library';
import { requireAsset } from './require-asset';

/** Pixels per side: enough for a frame of 97 mm at 200 dpi. */
const PICTURE_PX = 768;

/** The URL of the thumbnail in another size: the library's image service scales to any size. */
function pictureUrl(thumbnailUrl: string): string {
  const url = new URL(thumbnailUrl);
  url.searchParams.set('width', String(PICTURE_PX));
  url.searchParams.set('height', String(PICTURE_PX));
  return url.href;
}

/**
 * An image of one asset, larger than its thumbnail, with the asset's name. The URL is the listed one, on an allowed host.
 * Throws `not_found`, and `unavailable` when the image is unavailable.
 */
export async function getPicture(library: Library, id: string): Promise<{ bytes: Uint8Array; name: string }> {
  const { item } = (await requireAsset(library, id)).asset;
  const bytes = await orHttpError(fetchThumbnail(pictureUrl(item.thumbnail_url), library));
  if (!bytes) throw new HttpError('not_found', 'The library has no image of this material.');
  return { bytes, name: item.name };
}
