import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;

/**
 * Counts one call under `key`, of which `perMinute` are allowed at once, then one after each of as many parts of a
 * minute. Returns the milliseconds to wait, or 0 to allow the call.
 */
export type RateCounter = (key: string, perMinute: number) => number;

/** Returns a counter that works like the database's `rate_take`, but in this process's memory. */
export function rateCounter(): RateCounter {
  const arrivals = new LRUCache<string, number>({ max: 20_000, ttl: MINUTE_MS });
  return (key, perMinute) => {
    const now = Date.now();
    const next = Math.max(arrivals.get(key) ?? now, now) + MINUTE_MS / perMinute;
    const wait = next - (now + MINUTE_MS);
    if (wait > 0.5) return Math.ceil(wait);
    arrivals.set(key, next);
    return 0;
  };
}
