import { type CacheResult, createFreshStore } from './cache/cache';
import { readList, writeList } from './cache/list-snapshot';
import { buildCatalogue, type MaterialCatalogue } from './catalogue';
import type { FetchOptions } from './fetch-options';
import { type Dropped, loadList } from './load-list';
import { type AssetType, assetTypes } from './schema';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const TTL_MS = HOUR_MS;
const IF_ERROR_MS = 30 * DAY_MS;
/** The minimum age of a list before an unknown id triggers a refresh. */
const RECHECK_MS = 5 * MINUTE_MS;

export type FoundCatalogue = {
  catalogue: MaterialCatalogue;
  state: CacheResult<MaterialCatalogue>['state'];
  ttlMs: number;
};

/**
 * Caches the three lists of the library in memory, refreshes them in the background, and stores them on disk for the
 * next start.
 */
export function createCatalogues(options: FetchOptions) {
  const { folder, libraryUrl, hosts, clock, log } = options;
  const dropsSeen = new Map<AssetType, string>();

  /** Logs how many entries of a list are unusable, whenever the numbers change. */
  function logDropped(type: AssetType, dropped: Dropped): void {
    const seen = JSON.stringify(dropped);
    if (seen !== (dropsSeen.get(type) ?? '{}')) {
      log.warn({ type, dropped }, 'some entries of the material list are unusable');
    }
    dropsSeen.set(type, seen);
  }

  const store = createFreshStore<MaterialCatalogue>({
    load: async (key, former, background) => {
      const type = key as AssetType;
      // After about 30 days without a refresh, accept a new list even if it is much shorter than the former one,
      // because the list was probably cleaned up.
      const recent = former && clock.now() - former.fetchedAt < TTL_MS + IF_ERROR_MS ? former : undefined;
      try {
        const { catalogue, dropped } = await loadList({
          ...options,
          type,
          former: recent,
          background,
        });
        if (catalogue.bodyHash !== former?.bodyHash) logDropped(type, dropped);
        const list = { ...catalogue, assets: catalogue.listed };
        await writeList({ folder, libraryUrl, hosts, type }, list).catch((error: unknown) =>
          log.warn({ error, type }, 'failed to save the material list'),
        );
        return { status: 'found', value: catalogue, bytes: 1 };
      } catch (error) {
        log.warn({ error, type }, 'failed to refresh the material list');
        throw error;
      }
    },
    ttlMs: TTL_MS,
    whileRevalidateMs: DAY_MS,
    ifErrorMs: IF_ERROR_MS,
    absentMs: RECHECK_MS,
    backOffMs: 30_000,
    max: assetTypes.length,
    maxBytes: assetTypes.length,
    clock,
  });

  async function seed(type: AssetType): Promise<void> {
    try {
      const list = await readList({ folder, libraryUrl, hosts, type });
      // Ignore a file with a date in the future, because it would count as fresh for too long.
      if (list && list.fetchedAt <= clock.now()) {
        store.seed(type, await buildCatalogue(type, list), 1, list.fetchedAt);
        if (!list.isComplete) store.refresh(type);
      }
    } catch (error) {
      // The list can be fetched from the library instead.
      log.warn({ error, type }, 'failed to use the saved material list');
    }
  }

  const seeded = new Map<AssetType, Promise<void>>();
  const loaded = new Set<AssetType>();

  async function get(type: AssetType): Promise<FoundCatalogue> {
    const seeding = seeded.get(type) ?? seed(type);
    seeded.set(type, seeding);
    await seeding;
    const { entry, state, ttlMs } = await store.get(type);
    if (entry.status === 'absent') throw new Error('a list is never absent');
    loaded.add(type);
    return { catalogue: entry.value, state, ttlMs };
  }

  return {
    get,
    /**
     * Finds the list that contains an asset. If no list does, returns null and starts a background refresh of each list
     * that is older than `RECHECK_MS`. Throws if a list that may contain the asset is unavailable.
     */
    async find(id: string): Promise<FoundCatalogue | null> {
      const lookIn = async (types: Iterable<AssetType>) => {
        const settled = await Promise.allSettled([...types].map(get));
        const all = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
        return { settled, all, found: all.find(({ catalogue }) => catalogue.assets.has(id)) };
      };
      const { found: here } = await lookIn(loaded);
      if (here) return here;
      const { settled, all, found } = await lookIn(assetTypes);
      if (found) return found;
      for (const result of settled) if (result.status === 'rejected') throw result.reason;
      for (const { catalogue } of all) {
        if (clock.now() - catalogue.fetchedAt > RECHECK_MS) store.refresh(catalogue.type);
      }
      return null;
    },
  };
}
export type Catalogues = ReturnType<typeof createCatalogues>;
