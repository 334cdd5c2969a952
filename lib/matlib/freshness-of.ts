import type { Freshness } from './cache/cache';
import type { Library } from './library';
import type { Source } from './schema';

/** What every answer says about where it comes from and how old it is. `fetchedAt` in milliseconds since 1970. */
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
