import { resolve } from 'node:path';
import { serverEnv } from '@/lib/env/server';
import { logError } from '@/lib/log/log-error';
import { logger } from '@/lib/log/logger';
import { browserUser } from '@/lib/pdf/chromium/browser-user';
import { unpackChromium } from '@/lib/pdf/chromium/unpack';
import { queueDepth } from '@/lib/queue/depth';
import { startLoop } from '@/lib/queue/loop';
import { startTelemetry } from '@/lib/telemetry/start';
import { operatorWarnings } from './readiness';
import { workHandlers } from './work-handlers';

/**
 * Starts the work loop of this process, and telemetry if it is enabled, and unpacks the printing browser in the
 * background. Returns a function that stops the loop and telemetry, and puts unfinished work back in the queue. That
 * function never rejects.
 */
export async function startWork(): Promise<() => Promise<void>> {
  const { CHROMIUM_PATH, ATELIER_DATA_DIR } = serverEnv();
  const stopTelemetry = await startTelemetry(queueDepth);
  const loop = startLoop(workHandlers);
  // Otherwise, the first export would need the time and the disk space for this.
  if (!CHROMIUM_PATH) {
    unpackChromium(resolve(ATELIER_DATA_DIR), browserUser()).catch((error: unknown) =>
      logError(logger(), error, 'printing browser not unpacked'),
    );
  }
  void operatorWarnings().then((warnings) => {
    for (const warning of warnings) logger().warn(warning);
  });
  return async () => {
    await loop.stop().catch((error: unknown) => logError(logger(), error, 'work not handed back'));
    await stopTelemetry();
  };
}
