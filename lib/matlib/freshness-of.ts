import type { Freshness } from './cache/cache';
import type { Library } from './library';
import type { Source } from './schema';

/** Returns the response fields for the source and age of the data. `fetchedAt` is in milliseconds since 1970. */
export function freshnessOf(
  library: Library,
  fetchedAt: number,
  state: Freshness,
): { source: Source; stale?: true; fetched_at: string } {
  return {
    source: library.source,
    ...(state === 'stale' && { stale: true as const }),
    fetched_at: new Date(fetchedAt).toISOString(),
  };
}
