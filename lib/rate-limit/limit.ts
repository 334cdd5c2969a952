import { serverEnv } from '@/lib/env/server';
import { HttpError } from '@/lib/errors/problem';
import { adminDb } from '@/lib/supabase/admin';
import { rateCounter } from './rate-counter';

/**
 * The limit that a call counts against: `costly` for calls that start work, make or store files, or must be rare;
 * `search` for searching materials, comparing or matching specs, and copying images; `other` for the rest.
 */
export type RateClass = 'costly' | 'search' | 'other';

const MINUTE_MS = 60_000;
const count = rateCounter();

function perMinute(rate: RateClass): number {
  const env = serverEnv();
  return { costly: env.RATE_LIMIT_COSTLY, search: env.RATE_LIMIT_SEARCH, other: env.RATE_LIMIT_OTHER }[rate];
}

/** Throws `rate_limited` with the value for `Retry-After` if a call has to wait. */
function rejectIfLimited(waitMs: number): void {
  if (waitMs <= 0) return;
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  throw new HttpError('rate_limited', `Too many requests. Try again in ${seconds} s.`, {
    retryAfter: seconds,
  });
}

/**
 * Counts one call by `caller` (a user's id or another key) in this process. The limit is a user's limit multiplied by
 * `times`. Throws `rate_limited`.
 */
export function limitInProcess(rate: RateClass, caller: string, times = 1): void {
  rejectIfLimited(count(`${rate}:${caller}`, perMinute(rate) * times));
}

type SharedLimit = { p_count?: number; p_burst: number; p_interval_ms: number };

/** Counts calls in the database, which all instances share. Throws `rate_limited` or `unavailable`. */
async function takeShared(key: string, limit: SharedLimit): Promise<void> {
  const { data, error } = await adminDb().rpc('rate_take', { p_key: key, ...limit });
  if (error) throw new HttpError('unavailable', undefined, { retryAfter: 5, cause: error });
  rejectIfLimited(data);
}

/**
 * Counts `count` costly calls by `caller` (a user's id or another key) across all instances. A `count` above the limit
 * is reduced to the limit. Throws `unavailable`, or `rate_limited` without counting any of the calls.
 */
export async function limitShared(caller: string, count = 1): Promise<void> {
  const burst = perMinute('costly');
  await takeShared(`costly:${caller}`, {
    p_count: count,
    p_burst: burst,
    p_interval_ms: Math.ceil(MINUTE_MS / burst),
  });
}

/**
 * Counts one call under `key`. Used for operations that users rarely need, to prevent guessing and flooding. Allows up
 * to `burst` calls at once, then one per `intervalMs`. All instances share the count. Throws `rate_limited` or
 * `unavailable`.
 */
export async function limitRare(key: string, burst: number, intervalMs: number): Promise<void> {
  await takeShared(key, { p_burst: burst, p_interval_ms: intervalMs });
}
