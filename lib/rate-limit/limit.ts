import { LRUCache } from 'lru-cache';
import { serverEnv } from '@/lib/env/server';
import { HttpError } from '@/lib/errors/problem';
import { adminDb } from '@/lib/supabase/admin';

/** The cost of a call: one that starts external work, a search, or any other. */
export type RateClass = 'costly' | 'search' | 'other';

const MINUTE_MS = 60_000;
const arrivals = new LRUCache<string, number>({ max: 20_000, ttl: MINUTE_MS });

function perMinute(rate: RateClass): number {
  const env = serverEnv();
  return { costly: env.RATE_LIMIT_COSTLY, search: env.RATE_LIMIT_SEARCH, other: env.RATE_LIMIT_OTHER }[rate];
}

/** Like `rate_take`, in this process's memory. Returns the milliseconds to wait; 0 allows the call. */
function countInMemory(key: string, burst: number): number {
  const now = Date.now();
  const step = MINUTE_MS / burst;
  const next = Math.max(arrivals.get(key) ?? now, now) + step;
  const wait = next - (now + MINUTE_MS);
  if (wait > 0.5) return Math.ceil(wait);
  arrivals.set(key, next);
  return 0;
}

/** Rejects a call that has to wait. Throws `rate_limited` with `Retry-After`. */
export function rejectIfLimited(waitMs: number): void {
  if (waitMs <= 0) return;
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  throw new HttpError('rate_limited', `Too many requests. Try again in ${seconds} s.`, {
    retryAfter: seconds,
  });
}

/** The limits of costly starts, as arguments of the database's functions. */
export function costlyBounds(): { p_burst: number; p_interval_ms: number } {
  const burst = perMinute('costly');
  return { p_burst: burst, p_interval_ms: Math.ceil(MINUTE_MS / burst) };
}

/** Counts one call of this user in this process. Throws `rate_limited`. */
export function limitInProcess(rate: RateClass, userId: string): void {
  rejectIfLimited(countInMemory(`${rate}:${userId}`, perMinute(rate)));
}

/** Counts one costly start in the database, so that all instances share the count. Throws `rate_limited`. */
export async function limitShared(userId: string): Promise<void> {
  const { data, error } = await adminDb().rpc('rate_take', { p_key: `costly:${userId}`, ...costlyBounds() });
  if (error) throw new HttpError('unavailable', undefined, { retryAfter: 5, cause: error });
  rejectIfLimited(data);
}
