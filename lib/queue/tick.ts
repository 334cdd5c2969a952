import { logger } from '@/lib/log/logger';
import { startLoop } from './loop';
import { reap } from './reap';
import type { WorkHandlers } from './work';

/** How long a tick runs work, in milliseconds. Shorter than the request timeouts of common hosts. */
const TICK_MS = 20_000;

/** Runs due work and then `reap`, for `/api/cron/tick`. */
export async function runTick(handlers: WorkHandlers) {
  const claimed = await startLoop(handlers).drain(TICK_MS);
  return { claimed, ...(await reap(logger())) };
}
