import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { assetHosts } from '@/lib/env/asset-hosts';
import type { Log } from '@/lib/log/logger';
import { assetOrigins } from './asset-url';
import { createCatalogues } from './catalogues';
import type { Clock } from './clock';
import { createColorBook } from './color/color-book';
import { createPainter } from './color/painted';
import { createFileTrees } from './file-trees';
import { deepFreeze } from './freeze';
import { type SourceName, sourceOf } from './source';
import { createUpstream } from './upstream/upstream';

const MAX_ANSWERS = 1_000;
const COLORS_AT_ONCE = 2;
const MAX_ANSWER_BYTES = 24 * 1024 * 1024;

export type LibraryOptions = {
  /** Where the library's API is, without a slash at the end. */
  url: string;
  userAgent: string;
  /** Whose library it is; unless set, the one of a loopback address is the made-up one. */
  source?: SourceName;
  /** Comma-separated hosts that images and files may come from. */
  assetHosts: string;
  /** Local state of the whole product; ours lies in `matlib` below it. */
  dataDir: string;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  listDeadlineMs?: number;
  filesDeadlineMs?: number;
  colorsAtOnce?: number;
};

/** A library that knows nothing yet; nothing is asked for before somebody asks it. */
export function createLibrary(options: LibraryOptions) {
  const { url, userAgent, clock, log } = options;
  const hosts = assetHosts(options.assetHosts);
  const origins = assetOrigins(hosts);
  const folder = join(options.dataDir, 'matlib');
  const upstream = createUpstream({ baseUrl: url, userAgent, clock });
  const book = createColorBook({
    folder,
    userAgent,
    origins,
    clock,
    log,
    atOnce: options.colorsAtOnce ?? COLORS_AT_ONCE,
  });
  const answers = new LRUCache<string, object>({ max: MAX_ANSWERS, maxSize: MAX_ANSWER_BYTES });

  return {
    source: sourceOf(url, options.source),
    userAgent,
    /** Where pictures may be fetched from. */
    origins,
    clock,
    book,
    paint: createPainter(book),
    catalogues: createCatalogues({
      upstream,
      libraryUrl: url,
      folder,
      hosts,
      clock,
      log,
      deadlineMs: options.listDeadlineMs ?? 8_000,
    }),
    fileTrees: createFileTrees({
      upstream,
      libraryUrl: url,
      folder,
      hosts,
      clock,
      log,
      deadlineMs: options.filesDeadlineMs ?? 5_000,
    }),
    /**
     * The answer that was made under this key, or a new one from `make`, frozen. A key names all that the answer depends
     * on, and comes from checked values only. `bytes` is about what it takes.
     */
    remember<T extends object>(key: string, bytes: number, make: () => T): T {
      const known = answers.get(key) as T | undefined;
      if (known) return known;
      const made = deepFreeze(make());
      answers.set(key, made, { size: bytes });
      return made;
    },
  };
}

/** All that this process knows of the material library. The verbs of this area take it as their first parameter. */
export type Library = ReturnType<typeof createLibrary>;
