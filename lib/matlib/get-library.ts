import { serverEnv } from '@/lib/env/server';
import { logger } from '@/lib/log/logger';
import { sharedValue } from '@/lib/process/shared-value';
import { systemClock } from './clock';
import { createLibrary, type Library } from './library';

/** Returns the material library of this process. Each process has its own in-memory cache and its own rate limit. */
export function getLibrary(): Library {
  return sharedValue('matlib', () => {
    const env = serverEnv();
    return createLibrary({
      url: env.MATLIB_URL,
      source: env.MATLIB_SOURCE,
      userAgent: env.MATLIB_USER_AGENT,
      assetHosts: env.MATLIB_ASSET_HOSTS,
      dataDir: env.ATELIER_DATA_DIR,
      clock: systemClock,
      log: logger(),
    });
  });
}
