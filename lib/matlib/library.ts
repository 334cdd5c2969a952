import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { assetHosts } from '@/lib/env/asset-hosts';
import type { Log } from '@/lib/log/logger';
import { assetOrigins } from './asset-url';
import { createCatalogues } from './catalogues';
import type { Clock } from './clock';
import { createColorCache } from './color/color-cache';
import { createColorApplier } from './color/colored-catalogue';
import { createFileTrees } from './file-trees';
import { deepFreeze } from './freeze';
import { type SourceName, sourceOf } from './source';
import { createUpstream } from './upstream/upstream';

const MAX_RESPONSES = 1_000;
const COLORS_AT_ONCE = 2;
const MAX_RESPONSE_BYTES = 24 * 1024 * 1024;

export type LibraryOptions = {
  /** The base URL of the library's API, without a trailing slash. */
  url: string;
  userAgent: string;
  /** The source to credit. The default is the sample library if `url` is a loopback address, otherwise Poly Haven. */
  source?: SourceName;
  /** The hosts that images and files can come from, separated by commas. */
  assetHosts: string;
  /** Atelier's data folder. The library stores its files in the subfolder `matlib`. */
  dataDir: string;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  listDeadlineMs?: number;
  filesDeadlineMs?: number;
  colorsAtOnce?: number;
};

/** Creates a library with an empty in-memory cache. It makes no calls before the first request. */
export function createLibrary(options: LibraryOptions) {
  const { url, userAgent, clock, log } = options;
  const hosts = assetHosts(options.assetHosts);
  const origins = assetOrigins(hosts);
  const folder = join(options.dataDir, 'matlib');
  const upstream = createUpstream({ baseUrl: url, userAgent, clock });
  const fetching = { upstream, libraryUrl: url, folder, hosts, clock, log };
  const colorCache = createColorCache({
    folder,
    userAgent,
    origins,
    clock,
    log,
    atOnce: options.colorsAtOnce ?? COLORS_AT_ONCE,
  });
  const responses = new LRUCache<string, object>({ max: MAX_RESPONSES, maxSize: MAX_RESPONSE_BYTES });

  return {
    source: sourceOf(url, options.source),
    userAgent,
    /** The origins that images can be fetched from. */
    origins,
    clock,
    colors: colorCache,
    applyColors: createColorApplier(colorCache),
    catalogues: createCatalogues({ ...fetching, deadlineMs: options.listDeadlineMs ?? 8_000 }),
    fileTrees: createFileTrees({ ...fetching, deadlineMs: options.filesDeadlineMs ?? 5_000 }),
    /**
     * Returns the cached response for a key. If there is none, freezes and caches the result of `make` and returns it.
     * The key must contain everything that the response depends on, and only validated values. `bytes` is the
     * response's approximate size.
     */
    remember<T extends object>(key: string, bytes: number, make: () => T): T {
      const cached = responses.get(key) as T | undefined;
      if (cached) return cached;
      const response = deepFreeze(make());
      responses.set(key, response, { size: bytes });
      return response;
    },
  };
}

/**
 * A material library: its caches, colors and settings. Most operations in this folder take it as their first parameter.
 */
export type Library = ReturnType<typeof createLibrary>;
