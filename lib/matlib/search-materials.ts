import { type Cacheable, cacheable } from '@/lib/http/cacheable';
import type { ColoredCatalogue } from './color/colored-catalogue';
import { freshnessOf } from './freshness-of';
import { orHttpError } from './http-error';
import type { Library } from './library';
import { responseHeaders } from './response-headers';
import { type AssetType, assetTypes, type SearchQuery, type SearchResponse } from './schema';
import { countMatches, searchItems } from './search/search-items';
import { isUpstreamError } from './upstream/error';

const BYTES_BESIDE_RESULTS = 4_000;
const BYTES_PER_RESULT = 800;

function keyOf(query: SearchQuery): string {
  const { q, type, categories, color, sort, limit, offset, facets } = query;
  return JSON.stringify([q, type, categories, color, sort, limit, offset, facets]);
}

/** Returns the lists of all types, with null for a list that is unavailable. */
async function allLists(library: Library): Promise<Record<AssetType, ColoredCatalogue | null>> {
  const lists = await Promise.all(
    assetTypes.map(async (type) => {
      const found = await library.catalogues.get(type).catch((error: unknown) => {
        if (isUpstreamError(error)) return null;
        throw error;
      });
      return [type, found && library.applyColors(found.catalogue)] as const;
    }),
  );
  return Object.fromEntries(lists) as Record<AssetType, ColoredCatalogue | null>;
}

function totalsOf(
  lists: Record<AssetType, ColoredCatalogue | null>,
  query: SearchQuery,
): SearchResponse['totals'] {
  const count = (list: ColoredCatalogue | null) =>
    list && countMatches({ items: list.items, index: list.catalogue.index }, query);
  return { hdris: count(lists.hdris), textures: count(lists.textures), models: count(lists.models) };
}

/** Searches materials. Throws `unavailable` if the library is unavailable and the list is not cached. */
export async function searchMaterials(
  library: Library,
  query: SearchQuery,
): Promise<Cacheable<SearchResponse>> {
  const { catalogue, state, ttlMs } = await orHttpError(library.catalogues.get(query.type));
  await library.colors.ready();
  const { version, items, colorless } = library.applyColors(catalogue);
  const lists = query.q === '' ? null : await allLists(library);
  const versions = lists ? assetTypes.map((type) => lists[type]?.version ?? 0).join() : version;
  const bytes = BYTES_BESIDE_RESULTS + query.limit * BYTES_PER_RESULT;
  const response = library.remember(`search ${versions} ${state === 'stale'} ${keyOf(query)}`, bytes, () => {
    library.colors.computeUnknown(items.values());
    return {
      ...searchItems({ items, colorless, index: catalogue.index }, query, library.clock.now()),
      ...(lists && { totals: totalsOf(lists, query) }),
      ...freshnessOf(library, catalogue.fetchedAt, state),
    };
  });
  return cacheable(response, responseHeaders('list', state, ttlMs));
}
