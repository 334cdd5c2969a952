import { createFreshStore } from './cache/cache';
import { readFiles, writeFiles } from './cache/files-snapshot';
import type { FetchOptions } from './fetch-options';
import { normalizeFiles } from './normalize-files';
import type { FileTree } from './schema';
import { UpstreamError } from './upstream/error';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** In memory, a cached tree is about this many times as large as its JSON. */
const OVERHEAD = 2;

/** `fetchedAt` is in milliseconds since 1970. */
type CachedTree = { tree: FileTree; fetchedAt: number };

/**
 * Requests the file tree of each asset on demand, and caches it in memory and on disk. The cache key contains the
 * version of the files, so the tree is requested again when that version changes.
 */
export function createFileTrees(options: FetchOptions) {
  const { upstream, hosts, clock, deadlineMs, log } = options;
  const keyOf = (id: string, filesHash: string) => ({ ...options, id, filesHash });

  const store = createFreshStore<CachedTree>({
    load: async (key, _former, background) => {
      const colon = key.indexOf(':');
      const [id, filesHash] = [key.slice(0, colon), key.slice(colon + 1)];
      const response = await upstream.getJson({
        path: `/files/${encodeURIComponent(id)}`,
        deadlineMs,
        background,
        oneAsset: true,
        check: (json) => {
          const tree = normalizeFiles(json, hosts);
          if (!tree) throw new UpstreamError('content', 'a file tree without one usable file');
          return { tree, json };
        },
      });
      if (response.kind !== 'value') return { status: 'absent' };
      const { tree, json } = response.value;
      const fetchedAt = clock.now();
      await writeFiles(keyOf(id, filesHash), json, fetchedAt).catch((error: unknown) =>
        log.warn({ error, id }, 'failed to save the files of a material'),
      );
      return { status: 'found', value: { tree, fetchedAt }, bytes: response.bytes * OVERHEAD };
    },
    ttlMs: DAY_MS,
    whileRevalidateMs: DAY_MS,
    ifErrorMs: 30 * DAY_MS,
    absentMs: 5 * MINUTE_MS,
    backOffMs: 30_000,
    max: 500,
    maxBytes: 32 * 1024 * 1024,
    clock,
  });

  async function seed(key: string, id: string, filesHash: string): Promise<void> {
    const found = await readFiles(keyOf(id, filesHash));
    // Ignore a file with a date in the future, because it would count as fresh for too long.
    if (!found || found.fetchedAt > clock.now() || store.has(key)) return;
    const tree = normalizeFiles(found.files, hosts);
    if (!tree) return;
    const bytes = JSON.stringify(found.files).length * OVERHEAD;
    store.seed(key, { tree, fetchedAt: found.fetchedAt }, bytes, found.fetchedAt);
  }

  const seeding = new Map<string, Promise<void>>();

  return {
    async get(id: string, filesHash: string) {
      const key = `${id}:${filesHash}`;
      if (!store.has(key)) {
        const work = seeding.get(key) ?? seed(key, id, filesHash).finally(() => seeding.delete(key));
        seeding.set(key, work);
        await work;
      }
      return store.get(key);
    },
    size: store.size,
  };
}
