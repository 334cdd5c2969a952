import type { Freshness } from './cache/cache';

const reuse = {
  /** For search results and categories, which change whenever a list of assets changes. */
  list: 'private, max-age=60, stale-while-revalidate=600',
  /** For a single asset, which rarely changes. */
  asset: 'private, max-age=3600, stale-while-revalidate=86400',
};

/**
 * Returns `Cache-Control` for the client and `Cache-Status` (RFC 9211) for debugging. `ttlMs` is negative for an
 * expired value.
 */
export function responseHeaders(
  kind: keyof typeof reuse,
  state: Freshness,
  ttlMs: number,
): { 'cache-control': string; 'cache-status': string } {
  const ttl = Math.trunc(ttlMs / 1000);
  const status = {
    hit: `hit; ttl=${ttl}`,
    miss: 'fwd=miss; stored',
    updating: `hit; ttl=${ttl}; detail=updating`,
    stale: `hit; ttl=${ttl}; detail=unavailable`,
  }[state];
  return {
    'cache-control': state === 'stale' ? 'private, max-age=10' : reuse[kind],
    'cache-status': `matlib; ${status}`,
  };
}
