import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../../../lib/errors/start-error.ts';
import { commandLine, isRunning, sendSignal } from '../../../../lib/process/live-process.ts';
import { hasEnded } from './has-ended.ts';

/**
 * Stops a Postgres server that a killed backend left running, or removes the lock file if the server is dead. `folder`
 * is the data directory of the cluster. Throws StartError if the server does not stop.
 */
export async function stopOrphan(folder: string, log: (line: string) => void): Promise<void> {
  const lock = join(folder, 'postmaster.pid');
  const pid = Number((await readFile(lock, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid) return;
  const isOurs = () => isRunning(pid) && commandLine(pid).includes(folder);
  if (!isOurs()) {
    // Remove the lock, because Postgres may refuse to start if another process has reused the pid in it.
    await rm(lock, { force: true });
    return;
  }
  log(`stopping a Postgres server (process ${pid}) of an earlier run`);
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    sendSignal(pid, signal);
    if (await hasEnded(pid, 8_000)) return;
  }
  throw new StartError(`An earlier Postgres server (process ${pid}) on ${folder} could not be stopped.`);
}
