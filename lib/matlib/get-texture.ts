import { HttpError } from '@/lib/errors/problem';
import { orHttpError } from './http-error';
import type { Library } from './library';
import { requireAsset } from './require-asset';
import { texturesOf } from './textures-of';
import { callOnce } from './upstream/call';

const DEADLINE_MS = 60_000;
const MAX_BYTES = 15 * 1024 * 1024;
/** The resolutions to use, best first. 4K is the highest, because it is enough for a one-meter print at 100 dpi. */
const RESOLUTIONS = ['4K', '2K', '1K'];
const FORMATS = ['jpg', 'png'];

const noTexture = () =>
  new HttpError('not_found', 'The library has no texture of this material.', {
    errors: [{ path: 'materialId', message: 'names a material without a texture' }],
  });

/**
 * Returns an asset's name and its color map. Throws `not_found` if the asset does not exist or has no color map with a
 * suitable resolution, format and file size, and `unavailable` if the library or the file is unavailable.
 */
export async function getTexture(library: Library, id: string): Promise<{ bytes: Uint8Array; name: string }> {
  const { asset } = await requireAsset(library, id, 'materialId');
  const { entry } = await orHttpError(library.fileTrees.get(id, asset.filesHash));
  const sizes = entry.status === 'absent' ? {} : (texturesOf(entry.value.tree).diffuse ?? {});
  const files = RESOLUTIONS.flatMap((resolution) =>
    FORMATS.flatMap((format) => {
      const file = sizes[resolution]?.[format];
      return file ? [file] : [];
    }),
  );
  const file = files.find(({ size }) => size === null || size <= MAX_BYTES);
  if (!file) throw noTexture();
  const { origins, userAgent } = library;
  const request = { origins, userAgent, deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES, contentType: 'image/' };
  const response = await orHttpError(callOnce({ url: file.url, ...request, now: Date.now }));
  if (response.kind !== 'body') throw noTexture();
  return { bytes: response.bytes, name: asset.item.name };
}
