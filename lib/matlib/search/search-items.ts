import { swatchOf } from '../color/swatch-of';
import type { SearchItem, SearchQuery, SearchResponse } from '../schema';
import { countCategories, countColors } from './count';
import { sortItems } from './sort-items';
import type { TextIndex } from './text-index';

export type SearchResult = Omit<SearchResponse, 'totals' | 'source' | 'stale' | 'fetched_at'>;

type Searchable = {
  items: ReadonlyMap<string, SearchItem>;
  /** The ids of the items that will never have a color. */
  colorless?: ReadonlySet<string>;
  index: TextIndex;
};

const hasColor = (color: SearchQuery['color']) => (item: SearchItem) =>
  !color || (item.color !== null && swatchOf(item.color) === color);

/**
 * Counts the items that match a query's words and color. Ignores the query's categories, which apply to one type only.
 */
export function countMatches({ items, index }: Searchable, { q, color }: SearchQuery): number {
  return index
    .find(q, items)
    .ids.flatMap((id) => items.get(id) ?? [])
    .filter(hasColor(color)).length;
}

/** Ranks, filters and counts items, and returns one page of them. `total` is the number of matches on all pages. */
export function searchItems(
  { items, colorless = new Set(), index }: Searchable,
  query: SearchQuery,
  now: number,
): SearchResult {
  const { q, type, categories, color = null, limit, offset } = query;
  const words = q === '' ? null : index.find(q, items);
  const found = words ? words.ids.flatMap((id) => items.get(id) ?? []) : [...items.values()];
  const inCategories = found.filter((item) => categories.every((name) => item.categories.includes(name)));
  const matching = inCategories.filter(hasColor(query.color));
  // Relevance has no meaning without words, so sort by downloads instead.
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
    // Only one swatch can be selected at a time, so the color counts ignore the current selection and show how many
    // items each swatch would match.
    ...(query.facets && {
      facets: {
        categories: Object.fromEntries(countCategories(matching, categories)),
        ...countColors(inCategories, colorless),
      },
    }),
    ...(words && { match: words.match }),
  };
}
