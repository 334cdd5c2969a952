import { serverEnv } from '@/lib/env/server';
import { startLoop } from '@/lib/queue/loop';
import { workHandlers } from './work-handlers';

/**
 * Next ends the process the moment its last request is answered, and knows nothing of our work: its end waits until
 * `work` has settled.
 */
function holdExit(work: Promise<unknown>): void {
  const exit = process.exit.bind(process);
  const later = (code?: number) => void work.finally(() => exit(code));
  process.exit = later as typeof process.exit;
}

/** Starts this process's work loop. At SIGTERM and SIGINT it claims no more and hands back what it cannot finish. */
export function startWork(): void {
  serverEnv();
  const loop = startLoop(workHandlers);
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    holdExit(loop.stop().catch(() => undefined));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
}
