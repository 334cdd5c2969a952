import { logger } from '@/lib/log/logger';
import { startLoop } from './loop';
import { reap } from './reap';
import type { WorkHandlers } from './work';

/** One tick must end before the request limits of the usual hosts do. */
const TICK_MS = 20_000;

/** Does what is due and reaps, for `/api/cron/tick`. */
export async function runTick(handlers: WorkHandlers) {
  const claimed = await startLoop(handlers).drain(TICK_MS);
  return { claimed, ...(await reap(logger())) };
}
