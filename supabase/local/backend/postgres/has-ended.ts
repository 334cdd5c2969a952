import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from '../../../../lib/process/live-process.ts';

/** Waits up to `ms` milliseconds for a process to exit. Returns whether it has. */
export async function hasEnded(pid: number, ms: number): Promise<boolean> {
  const until = Date.now() + ms;
  while (isRunning(pid)) {
    if (Date.now() > until) return false;
    await sleep(20);
  }
  return true;
}
