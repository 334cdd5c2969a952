import { countOf } from '@/components/format/count';
import {
  type AssetType,
  assetTypes,
  MAX_OFFSET,
  type SearchAnswer,
  type SearchItem,
} from '@/lib/matlib/schema';

export type MaterialListState = {
  /** The search that `answer` and `items` belong to; null before the first response. */
  key: string | null;
  /** All loaded results, in order. */
  items: SearchItem[];
  /** The response for the first page, with the totals. */
  answer: SearchAnswer | null;
  /** Offset of the next page; null if there is none. */
  nextOffset: number | null;
  announcement: { text: string } | null;
};

export type MaterialListAction =
  | { type: 'replaced'; key: string; answer: SearchAnswer }
  | { type: 'extended'; key: string; answer: SearchAnswer }
  | { type: 'counted'; key: string; answer: SearchAnswer };

export const emptyMaterialList: MaterialListState = {
  key: null,
  items: [],
  answer: null,
  nextOffset: null,
  announcement: null,
};

function nextOffsetOf({ offset, results, total }: SearchAnswer): number | null {
  const next = offset + results.length;
  return results.length === 0 || next >= total || next > MAX_OFFSET ? null : next;
}

/** A message about inexact matches; null if the results match the query. */
export function matchNote({ match, query, total }: SearchAnswer): string | null {
  if (total === 0) return null;
  if (match === 'fuzzy') return `No exact match for “${query}”. Showing similar results.`;
  if (match === 'any') return `No results match all words of “${query}”. Showing partial matches.`;
  return null;
}

/** Counts of the other types that match the same query, without those that have none. */
export function matchesElsewhere({ type, totals }: SearchAnswer): { type: AssetType; count: number }[] {
  return assetTypes
    .filter((other) => other !== type)
    .map((other) => ({ type: other, count: totals?.[other] ?? 0 }))
    .filter(({ count }) => count > 0);
}

/** The next state of the list. A response to a search that is no longer shown is dropped. */
export function materialListReducer(state: MaterialListState, action: MaterialListAction): MaterialListState {
  const { key, answer } = action;
  if (action.type === 'replaced') {
    const found = answer.total === 0 ? 'No matches.' : `${countOf(answer.total, 'material')} found.`;
    return {
      key,
      answer,
      items: answer.results,
      nextOffset: nextOffsetOf(answer),
      announcement: { text: [found, matchNote(answer)].filter(Boolean).join(' ') },
    };
  }
  if (key !== state.key || !state.answer) return state;
  if (action.type === 'counted') {
    return { ...state, answer: { ...state.answer, facets: answer.facets } };
  }
  if (answer.offset !== state.nextOffset) return state;
  // The library can change between two requests, which moves materials to another page.
  const known = new Set(state.items.map(({ id }) => id));
  const more = answer.results.filter(({ id }) => !known.has(id));
  return {
    ...state,
    answer: { ...state.answer, total: answer.total, stale: answer.stale, fetched_at: answer.fetched_at },
    items: [...state.items, ...more],
    nextOffset: nextOffsetOf(answer),
    announcement: { text: `${countOf(more.length, 'more material')} shown.` },
  };
}
