import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/matlib/clock';
import { isUpstreamError, retryingIn } from '@/lib/matlib/upstream/error';

/** What a load found. `absent` is an answer too, kept for a shorter time. `bytes` counts towards the bound. */
export type Entry<V> = { status: 'found'; value: V; bytes: number } | { status: 'absent' };

/**
 * - `hit`: fresh
 * - `miss`: loaded just now
 * - `updating`: a little old; somebody fetches a fresh one meanwhile
 * - `stale`: old, and the last try to get a fresh one failed
 */
export type Freshness = 'hit' | 'miss' | 'updating' | 'stale';

/** `ttlMs` is what is left; negative when the entry is older than that. */
export type Found<V> = { entry: Entry<V>; state: Freshness; ttlMs: number };

/** A pause of 0 would make every caller ask again. */
const LEAST_PAUSE_MS = 1;

export type FreshStoreOptions<V> = {
  /** Throws when it cannot tell. `background`: nobody waits for it. */
  load: (key: string, former: V | undefined, background: boolean) => Promise<Entry<V>>;
  ttlMs: number;
  /** After `ttlMs`: answered at once, refreshed behind the scenes. */
  whileRevalidateMs: number;
  /** After `ttlMs`: still answered when a load fails. */
  ifErrorMs: number;
  absentMs: number;
  /** After a failed load its key is left alone for this long, unless the failure says when to try again. */
  backOffMs: number;
  max: number;
  maxBytes: number;
  clock: Clock;
};

/**
 * A bounded cache that loads by itself, once for any number of callers, and prefers an old answer to none.
 * The options of lru-cache are a measured set: `allowStaleOnFetchRejection` would turn a first failure into
 * `undefined`, and without `ignoreFetchAbort` an evicted entry would fail its callers.
 */
export function createFreshStore<V extends object>(options: FreshStoreOptions<V>) {
  const perf = { now: options.clock.now };
  /** Failures of the last moments: nobody asks again before their time is over. */
  const failed = new LRUCache<string, { error: unknown }>({
    max: 1_000,
    ttl: options.backOffMs,
    ttlResolution: 0,
    perf,
  });
  /** Keys whose last load failed, however long ago. */
  const broken = new LRUCache<string, true>({ max: 1_000 });
  const cache = new LRUCache<string, Entry<V>, { background: boolean }>({
    max: options.max,
    maxSize: options.maxBytes,
    sizeCalculation: (entry) => (entry.status === 'found' ? Math.max(1, entry.bytes) : 200),
    ttl: options.ttlMs,
    ttlResolution: 0,
    perf,
    allowStale: true,
    noDeleteOnFetchRejection: true,
    noDeleteOnStaleGet: true,
    ignoreFetchAbort: true,
    fetchMethod: async (key, former, { options: fetching, context }) => {
      const recent = failed.get(key);
      if (recent) throw retryingIn(recent.error, failed.getRemainingTTL(key));
      try {
        const value = former?.status === 'found' ? former.value : undefined;
        const entry = await options.load(key, value, context.background);
        fetching.ttl = entry.status === 'absent' ? options.absentMs : options.ttlMs;
        broken.delete(key);
        return entry;
      } catch (error) {
        const said = isUpstreamError(error) ? error.retryAfterMs : undefined;
        const pauseMs = Math.max(said ?? options.backOffMs, LEAST_PAUSE_MS);
        failed.set(key, { error }, { ttl: pauseMs });
        broken.set(key, true);
        throw retryingIn(error, pauseMs);
      }
    },
  });

  async function load(key: string): Promise<Entry<V>> {
    const entry = await cache.fetch(key, { allowStale: false, context: { background: false } });
    if (!entry) throw new Error('the cache lost an entry while it was loaded');
    return entry;
  }

  async function get(key: string): Promise<Found<V>> {
    const ttlMs = cache.getRemainingTTL(key);
    const had = cache.peek(key, { allowStale: true });
    if (had && ttlMs > 0) {
      cache.get(key);
      return { entry: had, state: 'hit', ttlMs };
    }
    // What was absent may be there by now, so an old "absent" is never worth more than a fresh answer.
    if (!had || had.status === 'absent') {
      return { entry: await load(key), state: 'miss', ttlMs: options.ttlMs };
    }
    const age = -ttlMs;
    if (age <= options.whileRevalidateMs) {
      refresh(key);
      return { entry: had, state: broken.has(key) ? 'stale' : 'updating', ttlMs };
    }
    try {
      return { entry: await load(key), state: 'miss', ttlMs: options.ttlMs };
    } catch (error) {
      if (age <= options.ifErrorMs) return { entry: had, state: 'stale', ttlMs };
      throw error;
    }
  }

  /** Loads behind the scenes, unless that failed just now. */
  function refresh(key: string): void {
    if (failed.has(key)) return;
    void cache
      .fetch(key, { allowStale: false, forceRefresh: true, context: { background: true } })
      .catch(() => undefined);
  }

  return {
    get,
    refresh,
    /** Whether something is kept for the key, fresh or old. */
    has: (key: string) => cache.peek(key, { allowStale: true }) !== undefined,
    /** Puts in what was known at `fetchedAt`, in milliseconds since 1970. */
    seed(key: string, value: V, bytes: number, fetchedAt: number): void {
      cache.set(key, { status: 'found', value, bytes }, { start: fetchedAt });
    },
    /** For tests and counters: entries kept and the bytes they count for. */
    size: () => ({ entries: cache.size, bytes: cache.calculatedSize }),
  };
}
