import { countOf } from '@/components/format/count';
import {
  type AssetType,
  assetTypes,
  MAX_OFFSET,
  type SearchAnswer,
  type SearchItem,
} from '@/lib/matlib/schema';

export type MaterialListState = {
  /** The search that `answer` and `items` belong to; null before the first answer. */
  key: string | null;
  /** All that was read so far, in order. */
  items: SearchItem[];
  /** The first page's answer: what it says of the whole. */
  answer: SearchAnswer | null;
  /** Where the next page begins; null when there is none. */
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

/** How the words were met, for whoever expected to find just them; null when there is nothing to explain. */
export function matchNote({ match, query, total }: SearchAnswer): string | null {
  if (total === 0) return null;
  if (match === 'fuzzy') return `Nothing is called “${query}”. Showing near matches.`;
  if (match === 'any')
    return `Nothing has all the words of “${query}”. Showing near matches with some of them.`;
  return null;
}

/** What the other types have for the same words; types without a match are left out. */
export function matchesElsewhere({ type, totals }: SearchAnswer): { type: AssetType; count: number }[] {
  return assetTypes
    .filter((other) => other !== type)
    .map((other) => ({ type: other, count: totals?.[other] ?? 0 }))
    .filter(({ count }) => count > 0);
}

/** The next state of the list. An answer to another search than the one shown is dropped. */
export function materialListReducer(state: MaterialListState, action: MaterialListAction): MaterialListState {
  const { key, answer } = action;
  if (action.type === 'replaced') {
    const found = answer.total === 0 ? 'Nothing matches.' : `${countOf(answer.total, 'material')} found.`;
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
  // The library may have changed between two pages, and a material moved from one into the other.
  const known = new Set(state.items.map(({ id }) => id));
  const more = answer.results.filter(({ id }) => !known.has(id));
  return {
    ...state,
    answer: { ...state.answer, total: answer.total, stale: answer.stale, fetched_at: answer.fetched_at },
    items: [...state.items, ...more],
    nextOffset: nextOffsetOf(answer),
    announcement: { text: `${countOf(more.length, 'material')} more.` },
  };
}
