import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '@/lib/process/live-process';

const PREFIX = 'atelier-chromium-';

/** Removes the profiles that killed processes left behind. */
async function removeLeftProfiles(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (!pid || isRunning(Number(pid))) continue;
    // Fails for another user's profile, which is left alone.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
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
  const options = { recursive: true, force: true, maxRetries: 3 };
  return { path, remove: () => rm(path, options), removeNow: () => rmSync(path, options) };
}
