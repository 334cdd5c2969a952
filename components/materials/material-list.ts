import { countOf } from '@/components/format/count';
import {
  type AssetType,
  assetTypes,
  MAX_OFFSET,
  type SearchItem,
  type SearchResponse,
} from '@/lib/matlib/schema';
import { countOfType, typePlural } from './material-labels';

export type TypeCount = { type: AssetType; count: number };

export type MaterialList = {
  /** The search that `response` and `items` belong to; null before the first response. */
  key: string | null;
  /** All loaded results, in order. */
  items: SearchItem[];
  /** The response for the first page, but with the latest `facets`, `total`, `stale` and `fetched_at`. */
  response: SearchResponse | null;
  /** Offset of the next page; null if there is none. */
  nextOffset: number | null;
  announcement: string | undefined;
};

export const emptyMaterialList: MaterialList = {
  key: null,
  items: [],
  response: null,
  nextOffset: null,
  announcement: undefined,
};

/** Returns the offset of the next page, or null if this page is the last one that can be requested. */
export function nextOffsetOf({ offset, results, total }: SearchResponse): number | null {
  const next = offset + results.length;
  return results.length === 0 || next >= total || next > MAX_OFFSET ? null : next;
}

/** Returns a message if there are results but the query has no exact match, otherwise null. */
export function matchNote({ match, query, total }: SearchResponse): string | null {
  if (total === 0) return null;
  if (match === 'fuzzy') return `No exact match for “${query}”. Showing similar results.`;
  if (match === 'any') return `No results match all words of “${query}”. Showing partial matches.`;
  return null;
}

/**
 * Returns the number of results of each type, without the types whose number is unknown. Returns an empty object for a
 * search without words. The count of the displayed type respects all filters. The other counts ignore the selected
 * categories, because these are cleared when the user switches to another type.
 */
export function typeCounts({ type, total, totals }: SearchResponse): Partial<Record<AssetType, number>> {
  if (!totals) return {};
  const known = assetTypes.map((one) => [one, one === type ? total : totals[one]] as const);
  return Object.fromEntries(known.filter(([, count]) => count !== null));
}

/**
 * Returns the categories with their counts, the most frequent first. The parsed response cannot keep this order,
 * because JavaScript lists an object's numeric keys, such as `1950`, before all other keys.
 */
export function categoryCounts(facets: SearchResponse['facets']): [name: string, count: number][] {
  return Object.entries(facets?.categories ?? {}).sort(([, a], [, b]) => b - a);
}

/** Returns the other types that have matches for the same query, with their counts. */
export function matchesElsewhere({ type, totals }: SearchResponse): TypeCount[] {
  return assetTypes
    .filter((other) => other !== type)
    .map((other) => ({ type: other, count: totals?.[other] ?? 0 }))
    .filter(({ count }) => count > 0);
}

/** Returns the state of a search's list after loading `pages`. `facets` are the search's latest counts. */
export function materialListOf(
  key: string,
  pages: SearchResponse[],
  facets: SearchResponse['facets'],
): MaterialList {
  const [first] = pages;
  const last = pages.at(-1);
  if (!first || !last) return emptyMaterialList;
  // If the library changes between two requests, a material can appear on two pages. Count and list it once.
  const before = byId(pages.slice(0, -1));
  const items = [...byId(pages).values()];
  const { total, stale, fetched_at } = last;
  const elsewhere = matchesElsewhere(first)
    .map(({ type, count }) => countOfType(count, type))
    .join(' and ');
  const none = elsewhere ? `No ${typePlural[first.type]} match, but ${elsewhere}.` : 'No matches.';
  const found = total === 0 ? none : `${countOf(total, 'material')} found.`;
  return {
    key,
    items,
    response: { ...first, facets, total, stale, fetched_at },
    nextOffset: nextOffsetOf(last),
    announcement:
      pages.length === 1
        ? [found, matchNote(first)].filter(Boolean).join(' ')
        : `${countOf(items.length - before.size, 'more material')} shown.`,
  };
}

function byId(pages: SearchResponse[]): Map<string, SearchItem> {
  return new Map(
    pages.flatMap(({ results }) => results.map((item): [string, SearchItem] => [item.id, item])),
  );
}
