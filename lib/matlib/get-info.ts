import { type Cacheable, cacheable } from '@/lib/http/cacheable';
import { freshnessOf } from './freshness-of';
import type { Library } from './library';
import { requireAsset } from './require-asset';
import { responseHeaders } from './response-headers';
import type { InfoResponse } from './schema';
import { pageUrl } from './source';

/**
 * Returns the details of an asset. Throws `not_found` if the asset does not exist, and `unavailable` if the library is
 * unavailable and its data is not cached.
 */
export async function getInfo(library: Library, id: string): Promise<Cacheable<InfoResponse>> {
  const { asset, catalogue, state, ttlMs } = await requireAsset(library, id);
  await library.colors.ready();
  const color = library.colors.colorOf(asset.item.thumbnail_url);
  const key = JSON.stringify([id, color, state === 'stale', catalogue.fetchedAt]);
  const response = library.remember(`info ${key}`, 4_000, () => ({
    ...asset.item,
    color,
    ...asset.detail,
    available: { page_url: pageUrl(library.source, id), license: library.source.license },
    ...freshnessOf(library, catalogue.fetchedAt, state),
  }));
  return cacheable(response, responseHeaders('asset', state, ttlMs));
}
