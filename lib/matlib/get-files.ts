import { HttpError } from '@/lib/errors/problem';
import { type Cacheable, cacheable } from '@/lib/http/cacheable';
import { freshnessOf } from './freshness-of';
import { orHttpError } from './http-error';
import type { Library } from './library';
import { pickFiles } from './pick-files';
import { requireAsset } from './require-asset';
import { responseHeaders } from './response-headers';
import type { FilesQuery, FilesResponse } from './schema';

const BYTES = 60_000;

/**
 * Returns the requested files of an asset. Throws `not_found` if the asset does not exist or has no files, and
 * `unavailable` if the library is unavailable and its data is not cached.
 */
export async function getFiles(
  library: Library,
  id: string,
  query: FilesQuery,
): Promise<Cacheable<FilesResponse>> {
  const { asset, catalogue } = await requireAsset(library, id);
  const { entry, state, ttlMs } = await orHttpError(library.fileTrees.get(id, asset.filesHash));
  if (entry.status === 'absent') throw new HttpError('not_found', 'This material has no files yet.');
  const { tree, fetchedAt } = entry.value;
  const key = JSON.stringify([id, query, state === 'stale', fetchedAt]);
  const response = library.remember(`files ${key}`, BYTES, () => ({
    id,
    type: catalogue.type,
    ...pickFiles(tree, query),
    ...freshnessOf(library, fetchedAt, state),
  }));
  return cacheable(response, responseHeaders('asset', state, ttlMs));
}
