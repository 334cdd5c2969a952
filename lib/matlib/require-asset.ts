import { HttpError } from '@/lib/errors/problem';
import type { FoundCatalogue } from './catalogues';
import { orHttpError } from './http-error';
import type { Library } from './library';
import type { Asset } from './normalize-asset';

/**
 * Returns the asset with this id. Looks only in the catalogues, because the library itself also returns assets that are
 * not published yet. Throws `not_found` if no catalogue contains the asset, and `unavailable` if a list that may
 * contain it is unavailable. `path` is the field of the request with the id.
 */
export async function requireAsset(
  library: Library,
  id: string,
  path: 'id' | 'materialId' = 'id',
): Promise<FoundCatalogue & { asset: Asset }> {
  const found = await orHttpError(library.catalogues.find(id));
  const asset = found?.catalogue.assets.get(id);
  if (!found || !asset) {
    const errors = [{ path, message: 'names no material' }];
    throw new HttpError('not_found', 'This material does not exist.', { errors });
  }
  return { ...found, asset };
}
