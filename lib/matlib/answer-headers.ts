import type { Freshness } from './cache/cache';

const reuse = {
  /** Search and categories: they follow the list. */
  list: 'private, max-age=60, stale-while-revalidate=600',
  /** One asset: it hardly ever changes. */
  asset: 'private, max-age=3600, stale-while-revalidate=86400',
};

/** `Cache-Control` for the client's own cache and `Cache-Status` (RFC 9211) for whoever wonders. `ttlMs` left, or over. */
export function answerHeaders(
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
