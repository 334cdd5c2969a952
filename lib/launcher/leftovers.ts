import { writeFileSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { stopOrphan } from '../../supabase/local/backend/postgres/orphan.ts';
import { livePid, processIdentity, sendSignal } from '../process/live-process.ts';

const patienceMs = 10_000;

/** Records the running processes in the data folder, so that the next run can find any that are left behind. */
export function recordProcesses(dataDir: string, pids: number[]): void {
  const identities = pids.flatMap((pid) => processIdentity(pid) ?? []);
  writeFileSync(join(dataDir, 'processes.json'), JSON.stringify(identities));
}

async function recordedPids(dataDir: string): Promise<number[]> {
  try {
    const recorded: unknown = JSON.parse(await readFile(join(dataDir, 'processes.json'), 'utf8'));
    if (!Array.isArray(recorded)) return [];
    return recorded.flatMap((identity) => livePid(String(identity)) ?? []);
  } catch {
    return [];
  }
}

/**
 * Waits for processes left behind by a killed launcher to exit, and kills any that are still running after ten seconds.
 * Call only while holding the lock on the data folder.
 */
export async function awaitLeftovers(dataDir: string, onWait: () => void): Promise<void> {
  let left = await recordedPids(dataDir);
  if (left.length > 0) onWait();
  for (const until = Date.now() + patienceMs; left.length > 0 && Date.now() < until; ) {
    await new Promise((done) => setTimeout(done, 100));
    left = await recordedPids(dataDir);
  }
  for (const pid of left) sendSignal(pid, 'SIGKILL');
}

/**
 * Stops the Postgres that a killed backend left running. Call only while holding the lock on the data folder, and with
 * no backend running.
 */
export async function stopOrphanPostgres(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'postgres');
  // The folder is a symbolic link if the backend had to create the cluster elsewhere.
  await stopOrphan(await readlink(folder).catch(() => folder), () => {});
}
