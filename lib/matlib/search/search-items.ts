import { swatchOf } from '@/lib/matlib/color/swatch-of';
import type { SearchAnswer, SearchItem, SearchQuery } from '@/lib/matlib/schema';
import { countCategories, countColors } from './count';
import { sortItems } from './sort-items';
import type { TextIndex } from './text-index';

export type SearchResult = Omit<SearchAnswer, 'source' | 'stale' | 'fetched_at'>;

/** Ranks, then filters, then counts, and cuts last: what is cut is in `total` all the same. */
export function searchItems(
  { items, index }: { items: ReadonlyMap<string, SearchItem>; index: TextIndex },
  query: SearchQuery,
  now: number,
): SearchResult {
  const { q, type, categories, color = null, limit, offset } = query;
  const words = q === '' ? null : index.find(q);
  const found = words ? words.ids.flatMap((id) => items.get(id) ?? []) : [...items.values()];
  const inCategories = found.filter((item) => categories.every((name) => item.categories.includes(name)));
  const matching = color
    ? inCategories.filter((item) => item.color !== null && swatchOf(item.color) === color)
    : inCategories;
  // Relevance means nothing without words.
  const sort =
    words || (query.sort && query.sort !== 'relevance') ? (query.sort ?? 'relevance') : 'downloads';
  const sorted = sort === 'relevance' ? matching : sortItems(matching, sort, now);
  return {
    query: q,
    type,
    categories,
    color,
    sort,
    total: sorted.length,
    limit,
    offset,
    results: sorted.slice(offset, offset + limit),
    // A swatch is one choice among several, so its counts are of what any of them would show.
    ...(query.facets && {
      facets: { categories: countCategories(matching, categories), ...countColors(inCategories) },
    }),
    ...(words && { match: words.match }),
  };
}
