import type { AssetHosts } from '@/lib/env/asset-hosts';
import type { Log } from '@/lib/log/logger';
import type { Clock } from './clock';
import type { Upstream } from './upstream/upstream';

/** Options that the caches share: how to fetch from the library, and the folder in which they save the results. */
export type FetchOptions = {
  upstream: Upstream;
  libraryUrl: string;
  folder: string;
  hosts: AssetHosts;
  clock: Clock;
  deadlineMs: number;
  log: Pick<Log, 'warn'>;
};
