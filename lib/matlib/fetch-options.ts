import type { AssetHosts } from '@/lib/env/asset-hosts';
import type { Log } from '@/lib/log/logger';
import type { Clock } from './clock';
import type { Upstream } from './upstream/upstream';

/** Options of the caches for lists and file trees: how to fetch from the library, and where to save the results. */
export type FetchOptions = {
  upstream: Upstream;
  libraryUrl: string;
  folder: string;
  hosts: AssetHosts;
  clock: Clock;
  deadlineMs: number;
  log: Pick<Log, 'warn'>;
};
