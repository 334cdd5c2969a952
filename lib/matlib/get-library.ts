import { serverEnv } from '@/lib/env/server';
import { logger } from '@/lib/log/logger';
import { systemClock } from './clock';
import { createLibrary, type Library } from './library';

const key = Symbol.for('atelier.matlib');
const shared = globalThis as { [key]?: Library };

/**
 * The material library of this process. Each route's bundle may have its own copy of this module, so the library is on
 * the global object. Another process has its own cache and rate limit.
 */
export function getLibrary(): Library {
  if (shared[key]) return shared[key];
  const env = serverEnv();
  shared[key] = createLibrary({
    url: env.MATLIB_URL,
    source: env.MATLIB_SOURCE,
    userAgent: env.MATLIB_USER_AGENT,
    assetHosts: env.MATLIB_ASSET_HOSTS,
    dataDir: env.ATELIER_DATA_DIR,
    clock: systemClock,
    log: logger(),
  });
  return shared[key];
}
