import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'atelier-chromium-';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Removes the profiles of processes that were killed before they could. */
async function removeLeftProfiles(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (!pid || isAlive(Number(pid))) continue;
    // Another user's is for that user to remove.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** A new folder for a browser's profile, named after our process. */
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
