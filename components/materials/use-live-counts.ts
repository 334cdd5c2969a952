'use client';

import { useQuery } from '@tanstack/react-query';
import type { SearchResponse } from '@/lib/matlib/schema';
import { readCounts } from './material-calls';

type Facets = NonNullable<SearchResponse['facets']>;
/** The counts of a search, and the delay in milliseconds until they are read again. */
type LiveCounts = { facets: Facets; waitMs: number };

const FIRST_MS = 3_000;
const MOST_MS = 60_000;

/** The next counts: their delay is short after progress, and doubled after each response without any. */
export function nextCounts(last: LiveCounts | undefined, facets: Facets): LiveCounts {
  const isNews = last?.facets.colors_unknown !== facets.colors_unknown;
  return { facets, waitMs: isNews ? FIRST_MS : Math.min(last.waitMs * 2, MOST_MS) };
}

/**
 * The counts of a search, beginning with those of its first page. After a list is first requested, the library determines
 * its colors step by step, so they are read again until all colors are known.
 */
export function useLiveCounts(key: string, first: Facets | undefined): Facets | undefined {
  const { data } = useQuery({
    queryKey: ['material-counts', key],
    queryFn: async ({ signal, client, queryKey }) => {
      const { facets } = await readCounts(key, signal);
      if (!facets) throw new Error('The response has no counts.');
      return nextCounts(client.getQueryData<LiveCounts>(queryKey), facets);
    },
    enabled: first !== undefined,
    initialData: first && nextCounts(undefined, first),
    staleTime: Number.POSITIVE_INFINITY,
    // Even if nothing has changed: this list's turn may come later.
    refetchInterval: ({ state }) => (state.data?.facets.colors_unknown ? state.data.waitMs : false),
  });
  return data?.facets;
}
