import { HttpError } from '@/lib/http/problem';
import type { FoundCatalogue } from './catalogues';
import { orHttpError } from './http-error';
import type { Library } from './library';
import type { Asset } from './normalise-asset';

/**
 * The listed asset of this id. The library itself would answer for assets that are not published yet; so only what its
 * lists show is there for us. Throws `not_found`; `unavailable` when a list that may have it cannot be had.
 */
export async function requireAsset(library: Library, id: string): Promise<FoundCatalogue & { asset: Asset }> {
  const found = await orHttpError(library.catalogues.find(id));
  const asset = found?.catalogue.assets.get(id);
  if (!found || !asset) throw new HttpError('not_found', 'There is no such material.');
  return { ...found, asset };
}
