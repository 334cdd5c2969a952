import { writeFileSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { stopOrphan } from './backend/postgres/orphan';
import { livePid, processIdentity } from './live-process';

const patienceMs = 10_000;

/** Notes which processes belong to this data folder, so that the next start can tell them from strangers. */
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
 * Processes of an earlier start that was killed notice it and shut down by themselves; waits for them, and ends
 * those that do not. Call only while holding the data folder.
 */
export async function awaitLeftovers(dataDir: string, onWait: () => void): Promise<void> {
  let left = await recordedPids(dataDir);
  if (left.length > 0) onWait();
  for (const until = Date.now() + patienceMs; left.length > 0 && Date.now() < until; ) {
    await new Promise((done) => setTimeout(done, 100));
    left = await recordedPids(dataDir);
  }
  for (const pid of left) process.kill(pid, 'SIGKILL');
}

/**
 * Ends the Postgres of a backend that was killed and could not do so itself. Call only while holding the data
 * folder, and with no backend running.
 */
export async function stopOrphanPostgres(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'postgres');
  // The backend may have put the cluster elsewhere; the name in the data folder is a link then.
  await stopOrphan(await readlink(folder).catch(() => folder), () => {});
}
