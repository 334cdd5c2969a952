import { LRUCache } from 'lru-cache';
import { serverEnv } from '@/lib/env/server';
import { HttpError } from '@/lib/http/problem';
import { adminDb } from '@/lib/supabase/admin';

/** What a call costs: a start of outside work, a search, or anything else. */
export type RateClass = 'costly' | 'search' | 'other';

const MINUTE_MS = 60_000;
const arrivals = new LRUCache<string, number>({ max: 20_000, ttl: MINUTE_MS });

function perMinute(rate: RateClass): number {
  const env = serverEnv();
  return { costly: env.RATE_LIMIT_COSTLY, search: env.RATE_LIMIT_SEARCH, other: env.RATE_LIMIT_OTHER }[rate];
}

/** The same rule as `rate_take`, in the memory of this process. Answers the milliseconds to wait, 0 to go on. */
function takeInMemory(key: string, burst: number): number {
  const now = Date.now();
  const step = MINUTE_MS / burst;
  const next = Math.max(arrivals.get(key) ?? now, now) + step;
  const wait = next - (now + MINUTE_MS);
  if (wait > 0.5) return Math.ceil(wait);
  arrivals.set(key, next);
  return 0;
}

/**
 * Counts one call of this user. Costly starts are counted in the database, so that all instances share the count.
 * Throws `rate_limited` with `Retry-After`.
 */
export async function takeRate(rate: RateClass, userId: string): Promise<void> {
  const burst = perMinute(rate);
  const key = `${rate}:${userId}`;
  let waitMs: number;
  if (rate === 'costly') {
    const { data, error } = await adminDb().rpc('rate_take', {
      p_key: key,
      p_burst: burst,
      p_interval_ms: Math.ceil(MINUTE_MS / burst),
    });
    if (error) throw new HttpError('unavailable', undefined, { retryAfter: 5, cause: error });
    waitMs = data;
  } else {
    waitMs = takeInMemory(key, burst);
  }
  if (waitMs > 0) {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    throw new HttpError('rate_limited', `Too many requests. Try again in ${seconds} s.`, {
      retryAfter: seconds,
    });
  }
}
