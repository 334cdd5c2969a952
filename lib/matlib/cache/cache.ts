import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock';
import { isUpstreamError, retryingIn } from '../upstream/error';

/** The result of a load. `absent` is cached too, but for a shorter time. `bytes` counts toward `maxBytes`. */
export type Entry<V> = { status: 'found'; value: V; bytes: number } | { status: 'absent' };

/**
 * How fresh a returned entry is.
 * - `hit`: fresh
 * - `miss`: just loaded
 * - `updating`: expired, and being refreshed in the background
 * - `stale`: expired, and the last refresh failed
 */
export type Freshness = 'hit' | 'miss' | 'updating' | 'stale';

/** A cached entry. `ttlMs` is its remaining lifetime, negative if the entry has expired. */
export type CacheResult<V> = { entry: Entry<V>; state: Freshness; ttlMs: number };

/** The shortest pause after a failure. With a pause of 0, lru-cache would keep the failure forever. */
const MIN_PAUSE_MS = 1;

export type FreshStoreOptions<V> = {
  /** Loads an entry. Throws if it can't tell whether the entry exists. `background` means that no caller waits. */
  load: (key: string, former: V | undefined, background: boolean) => Promise<Entry<V>>;
  ttlMs: number;
  /** How long after `ttlMs` an entry is still returned immediately, and refreshed in the background. */
  whileRevalidateMs: number;
  /** How long after `ttlMs` an entry is still returned if loading it again fails. */
  ifErrorMs: number;
  absentMs: number;
  /** How long to wait after a failed load before loading the key again, unless the failure says when to retry. */
  backOffMs: number;
  max: number;
  maxBytes: number;
  clock: Clock;
};

/**
 * Creates a bounded cache that loads its own entries. Concurrent callers share one load. If an expired entry cannot be
 * loaded again, it is still returned for a while. Take care when changing the lru-cache options. With
 * `allowStaleOnFetchRejection`, a failed first load of a key would resolve to `undefined` instead of throwing. Without
 * `ignoreFetchAbort`, evicting an entry while it loads would make its callers fail.
 */
export function createFreshStore<V extends object>(options: FreshStoreOptions<V>) {
  const perf = { now: options.clock.now };
  /** Recent failures by key. Until its failure expires, a key is not loaded again. */
  const failed = new LRUCache<string, { error: unknown }>({
    max: 1_000,
    ttl: options.backOffMs,
    ttlResolution: 0,
    perf,
  });
  /** The keys whose last load failed, however long ago. */
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
        const askedMs = isUpstreamError(error) ? error.retryAfterMs : undefined;
        const pauseMs = Math.max(askedMs ?? options.backOffMs, MIN_PAUSE_MS);
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

  async function get(key: string): Promise<CacheResult<V>> {
    const ttlMs = cache.getRemainingTTL(key);
    const had = cache.peek(key, { allowStale: true });
    if (had && ttlMs > 0) {
      cache.get(key);
      return { entry: had, state: 'hit', ttlMs };
    }
    // Always reload an expired `absent` entry and never return it, because a value for the key may exist by now.
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

  /** Loads an entry in the background, unless its last load has just failed. */
  function refresh(key: string): void {
    if (failed.has(key)) return;
    void cache
      .fetch(key, { allowStale: false, forceRefresh: true, context: { background: true } })
      .catch(() => undefined);
  }

  return {
    get,
    refresh,
    /** Returns whether there is an entry for the key, fresh or stale. */
    has: (key: string) => cache.peek(key, { allowStale: true }) !== undefined,
    /** Adds a value that was loaded at `fetchedAt`, in milliseconds since 1970. */
    seed(key: string, value: V, bytes: number, fetchedAt: number): void {
      cache.set(key, { status: 'found', value, bytes }, { start: fetchedAt });
    },
    /** Returns the number of entries and their total size in bytes, for tests. */
    size: () => ({ entries: cache.size, bytes: cache.calculatedSize }),
  };
}
