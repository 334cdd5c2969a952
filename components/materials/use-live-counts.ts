'use client';

import { useQuery } from '@tanstack/react-query';
import type { SearchResponse } from '@/lib/matlib/schema';
import { readCounts } from './material-calls';

type Facets = NonNullable<SearchResponse['facets']>;
/** The counts of a search, and the delay in milliseconds until they are fetched again. */
type LiveCounts = { facets: Facets; waitMs: number };

const FIRST_MS = 3_000;
const MOST_MS = 60_000;

/**
 * Returns the new counts and the delay until they are fetched again. The delay is `FIRST_MS` at first and whenever
 * `colors_unknown` has changed. Otherwise, it doubles, up to `MOST_MS`.
 */
export function nextCounts(last: LiveCounts | undefined, facets: Facets): LiveCounts {
  const isNews = last?.facets.colors_unknown !== facets.colors_unknown;
  return { facets, waitMs: isNews ? FIRST_MS : Math.min(last.waitMs * 2, MOST_MS) };
}

/**
 * Returns the counts of a search, starting with those of its first page. The server analyzes the colors of new
 * materials in the background, so the counts are fetched again until all colors are known.
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
    // Keep polling even if nothing has changed, because the color analysis may not have started yet.
    refetchInterval: ({ state }) => (state.data?.facets.colors_unknown ? state.data.waitMs : false),
  });
  return data?.facets;
}
