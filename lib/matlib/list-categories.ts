import { type Cacheable, cacheable } from '@/lib/http/cacheable';
import { freshnessOf } from './freshness-of';
import { orHttpError } from './http-error';
import type { Library } from './library';
import { responseHeaders } from './response-headers';
import type { CategoriesQuery, CategoriesResponse } from './schema';
import { countCategories } from './search/count';

/**
 * Returns the categories of an asset type, most frequent first. With `in`, counts only assets that belong to every
 * category in `in`, and omits those categories.
 */
export async function listCategories(
  library: Library,
  query: CategoriesQuery,
): Promise<Cacheable<CategoriesResponse>> {
  const { catalogue, state, ttlMs } = await orHttpError(library.catalogues.get(query.type));
  const key = JSON.stringify([query.type, query.in, state === 'stale', catalogue.fetchedAt]);
  const response = library.remember(`categories ${key}`, 6_000, () => {
    const items = [...catalogue.assets.values()].map(({ item }) => item);
    const within = items.filter(({ categories }) => query.in.every((name) => categories.includes(name)));
    const counts = countCategories(within, query.in);
    return {
      categories: counts.map(([name]) => name),
      counts: Object.fromEntries(counts),
      total: within.length,
      type: query.type,
      ...freshnessOf(library, catalogue.fetchedAt, state),
    };
  });
  return cacheable(response, responseHeaders('list', state, ttlMs));
}
