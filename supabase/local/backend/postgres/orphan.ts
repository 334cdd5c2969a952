import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine, hasEnded, isAlive, isZombie } from '@/supabase/local/backend/postgres/processes';
import { StartFailure } from '@/supabase/local/backend/start-failure';

/**
 * Stops the server that a killed backend left running on this data folder, and removes a lock file whose process
 * is gone: a kill -9 of the backend never reaches its Postgres. `folder` is the cluster's data directory.
 */
export async function stopOrphan(folder: string, log: (line: string) => void): Promise<void> {
  const lock = join(folder, 'postmaster.pid');
  const pid = Number((await readFile(lock, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid) return;
  const isOurs = () => isAlive(pid) && !isZombie(pid) && commandLine(pid).includes(folder);
  if (!isOurs()) {
    // Postgres would refuse to start when an unrelated process has been given the same id meanwhile.
    await rm(lock, { force: true });
    return;
  }
  log(`stopping a Postgres server (process ${pid}) that an earlier run left behind`);
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    process.kill(pid, signal);
    if (await hasEnded(pid, 8_000)) return;
  }
  throw new StartFailure(`An earlier Postgres server (process ${pid}) on ${folder} could not be stopped.`);
}
