import { countOf } from '@/components/format/count';
import {
  type AssetType,
  assetTypes,
  MAX_OFFSET,
  type SearchItem,
  type SearchResponse,
} from '@/lib/matlib/schema';
import { countOfType, typePlural } from './material-words';

export type TypeCount = { type: AssetType; count: number };

export type MaterialList = {
  /** The search that `response` and `items` belong to; null before the first response. */
  key: string | null;
  /** All loaded results, in order. */
  items: SearchItem[];
  /** The response for the first page, with the latest totals and counts. */
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

/** The offset of the page after this one; null if it is the last. */
export function nextOffsetOf({ offset, results, total }: SearchResponse): number | null {
  const next = offset + results.length;
  return results.length === 0 || next >= total || next > MAX_OFFSET ? null : next;
}

/** A message about inexact matches; null if the results match the query. */
export function matchNote({ match, query, total }: SearchResponse): string | null {
  if (total === 0) return null;
  if (match === 'fuzzy') return `No exact match for “${query}”. Showing similar results.`;
  if (match === 'any') return `No results match all words of “${query}”. Showing partial matches.`;
  return null;
}

/**
 * The number of results of each type, as far as it is known: for the type shown with all filters, for the others with those
 * that a change of type keeps.
 */
export function typeCounts({ type, total, totals }: SearchResponse): Partial<Record<AssetType, number>> {
  if (!totals) return {};
  const known = assetTypes.map((one) => [one, one === type ? total : totals[one]] as const);
  return Object.fromEntries(known.filter(([, count]) => count !== null));
}

/** Counts of the other types that match the same query, without those that have none. */
export function matchesElsewhere({ type, totals }: SearchResponse): TypeCount[] {
  return assetTypes
    .filter((other) => other !== type)
    .map((other) => ({ type: other, count: totals?.[other] ?? 0 }))
    .filter(({ count }) => count > 0);
}

/** The list of a search after these pages. `facets` are its latest counts. */
export function materialListOf(
  key: string,
  pages: SearchResponse[],
  facets: SearchResponse['facets'],
): MaterialList {
  const [first] = pages;
  const last = pages.at(-1);
  if (!first || !last) return emptyMaterialList;
  // The library can change between two requests, which moves materials to another page.
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
