import { serverEnv } from '@/lib/env/server';
import { logError } from '@/lib/log/log-error';
import { logger } from '@/lib/log/logger';
import { queueDepth } from '@/lib/queue/depth';
import { startLoop } from '@/lib/queue/loop';
import { startTelemetry } from '@/lib/telemetry/start';
import { operatorWarnings } from './readiness';
import { workHandlers } from './work-handlers';

/**
 * Starts the work loop of this process, and telemetry if it is enabled. Returns a function that stops both and puts
 * unfinished work back in the queue. That function never rejects.
 */
export async function startWork(): Promise<() => Promise<void>> {
  serverEnv();
  const stopTelemetry = await startTelemetry(queueDepth);
  const loop = startLoop(workHandlers);
  void operatorWarnings().then((warnings) => {
    for (const warning of warnings) logger().warn(warning);
  });
  return async () => {
    await loop.stop().catch((error: unknown) => logError(logger(), error, 'work not handed back'));
    await stopTelemetry();
  };
}
