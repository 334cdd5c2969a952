import type { AssetHosts } from './asset-url';
import type { Clock } from './clock';
import { createFreshStore } from './fresh-store';
import { normaliseFiles } from './normalise-files';
import type { FileTree } from './schema';
import { UpstreamError } from './upstream/error';
import type { Upstream } from './upstream/upstream';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A kept tree takes about this much more memory than its JSON. */
const OVERHEAD = 2;

/** `fetchedAt` in milliseconds since 1970. */
type KeptTree = { tree: FileTree; fetchedAt: number };
type FileTreesOptions = { upstream: Upstream; hosts: AssetHosts; clock: Clock; deadlineMs: number };

/** The file trees of assets, asked for one by one. The key holds the version of the files, so a kept tree stays true. */
export function createFileTrees({ upstream, hosts, clock, deadlineMs }: FileTreesOptions) {
  const store = createFreshStore<KeptTree>({
    load: async (key, _former, background) => {
      const id = key.slice(0, key.indexOf(':'));
      const answer = await upstream.getJson({
        path: `/files/${encodeURIComponent(id)}`,
        deadlineMs,
        background,
        check: (json) => {
          const tree = normaliseFiles(json, hosts);
          if (!tree) throw new UpstreamError('content', 'a file tree without one usable file');
          return tree;
        },
      });
      if (answer.kind !== 'value') return { status: 'absent' };
      const value = { tree: answer.value, fetchedAt: clock.now() };
      return { status: 'found', value, bytes: answer.bytes * OVERHEAD };
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
  return {
    get: (id: string, filesHash: string) => store.get(`${id}:${filesHash}`),
    size: store.size,
  };
}
