import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, pidsByCommandLine, sendSignal } from '@/lib/process/live-process';

const PREFIX = 'atelier-chromium-';
/** Retries for up to 5.5 seconds, because the processes of a killed browser may still write to the folder. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10 };

/**
 * Removes the profiles that killed processes left behind. Kills the browser of each profile first, because a browser
 * that is still starting does not notice that its launcher is gone, and would write its profile again.
 */
async function removeLeftoverProfiles(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (!pid || isRunning(Number(pid))) continue;
    const path = join(tmpdir(), name);
    for (const pid of pidsByCommandLine(path)) sendSignal(pid, 'SIGKILL');
    // Removing another user's profile fails. Such a profile is left in place.
    await rm(path, REMOVAL).catch(() => undefined);
  }
}

/**
 * Removes leftover profiles, then makes a folder for a browser's profile. The name of the folder contains this
 * process's id.
 */
export async function makeProfileFolder(): Promise<{
  path: string;
  remove(): Promise<void>;
  removeNow(): void;
}> {
  await removeLeftoverProfiles();
  const path = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  return { path, remove: () => rm(path, REMOVAL), removeNow: () => rmSync(path, REMOVAL) };
}
