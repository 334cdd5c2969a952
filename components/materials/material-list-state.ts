import { countOf } from '@/components/format/count';
import {
  type AssetType,
  assetTypes,
  MAX_OFFSET,
  type SearchItem,
  type SearchResponse,
} from '@/lib/matlib/schema';

export type MaterialListState = {
  /** The search that `response` and `items` belong to; null before the first response. */
  key: string | null;
  /** All loaded results, in order. */
  items: SearchItem[];
  /** The response for the first page, with the totals. */
  response: SearchResponse | null;
  /** Offset of the next page; null if there is none. */
  nextOffset: number | null;
  announcement: { text: string } | null;
};

export type MaterialListAction =
  | { type: 'replaced'; key: string; response: SearchResponse }
  | { type: 'extended'; key: string; response: SearchResponse }
  | { type: 'counted'; key: string; response: SearchResponse };

export const emptyMaterialList: MaterialListState = {
  key: null,
  items: [],
  response: null,
  nextOffset: null,
  announcement: null,
};

function nextOffsetOf({ offset, results, total }: SearchResponse): number | null {
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

/** Counts of the other types that match the same query, without those that have none. */
export function matchesElsewhere({ type, totals }: SearchResponse): { type: AssetType; count: number }[] {
  return assetTypes
    .filter((other) => other !== type)
    .map((other) => ({ type: other, count: totals?.[other] ?? 0 }))
    .filter(({ count }) => count > 0);
}

/** The next state of the list. A response to a search that is no longer shown is dropped. */
export function materialListReducer(state: MaterialListState, action: MaterialListAction): MaterialListState {
  const { key, response } = action;
  if (action.type === 'replaced') {
    const found = response.total === 0 ? 'No matches.' : `${countOf(response.total, 'material')} found.`;
    return {
      key,
      response,
      items: response.results,
      nextOffset: nextOffsetOf(response),
      announcement: { text: [found, matchNote(response)].filter(Boolean).join(' ') },
    };
  }
  if (key !== state.key || !state.response) return state;
  if (action.type === 'counted') {
    return { ...state, response: { ...state.response, facets: response.facets } };
  }
  if (response.offset !== state.nextOffset) return state;
  // The library can change between two requests, which moves materials to another page.
  const known = new Set(state.items.map(({ id }) => id));
  const more = response.results.filter(({ id }) => !known.has(id));
  return {
    ...state,
    response: {
      ...state.response,
      total: response.total,
      stale: response.stale,
      fetched_at: response.fetched_at,
    },
    items: [...state.items, ...more],
    nextOffset: nextOffsetOf(response),
    announcement: { text: `${countOf(more.length, 'more material')} shown.` },
  };
}
