import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '@/lib/process/live-process';

const PREFIX = 'atelier-chromium-';
/**
 * The processes of a killed browser may still write for a moment, so removing a folder is retried for up to 5.5
 * seconds.
 */
const REMOVAL = { recursive: true, force: true, maxRetries: 10 };

/** Removes the profiles that killed processes left behind. */
async function removeLeftProfiles(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (!pid || isRunning(Number(pid))) continue;
    // Fails for another user's profile, which is left alone.
    await rm(join(tmpdir(), name), REMOVAL).catch(() => undefined);
  }
}

/** Makes a folder for a browser's profile, with our process id in its name. */
export async function makeProfileFolder(): Promise<{
  path: string;
  remove(): Promise<void>;
  removeNow(): void;
}> {
  await removeLeftProfiles();
  const path = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  return { path, remove: () => rm(path, REMOVAL), removeNow: () => rmSync(path, REMOVAL) };
}
