import { serverEnv } from '@/lib/env/server';
import { startLoop } from '@/lib/queue/loop';
import { workHandlers } from './work-handlers';

/** Starts this process's work loop. At SIGTERM and SIGINT it claims no more and hands back what it cannot finish. */
export function startWork(): void {
  serverEnv();
  const loop = startLoop(workHandlers);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void loop.stop());
}
