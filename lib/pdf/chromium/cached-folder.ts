import { randomUUID } from 'node:crypto';
import { access, chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { waitForLock } from '@/lib/process/lock';
import { canEnter, type OsUser } from '@/lib/process/os-user';

const SYSTEM_FOLDER = '/var/cache/atelier';
const ABANDONED_MS = 10 * 60_000;

/** Removes what a killed `fill` left behind, but not what another process may still be writing. */
async function removeAbandoned(cache: string): Promise<void> {
  const partial = (await readdir(cache)).filter((name) => name.endsWith('.partial'));
  for (const path of partial.map((name) => join(cache, name))) {
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}

export const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Returns the cache folder below the data folder, or a shared one when `user` cannot enter the data folder (for example
 * because it is below a private home directory).
 */
async function cacheFolder(dataDir: string, user: OsUser | undefined): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  if (canEnter(dataDir, user)) return join(dataDir, 'chromium');
  await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  const { uid, mode } = await stat(SYSTEM_FOLDER);
  if (uid !== 0 || (mode & 0o022) !== 0) {
    throw new Error(`Chromium cannot be unpacked: other users can write to ${SYSTEM_FOLDER}.`);
  }
  return SYSTEM_FOLDER;
}

/** Returns the path that a cached folder has, whether it exists or not. `cachedFolder` explains `user`. */
export async function cachedPath(dataDir: string, user: OsUser | undefined, name: string): Promise<string> {
  return join(/* turbopackIgnore: true */ await cacheFolder(dataDir, user), name);
}

/**
 * Returns the path of a cached folder that the browser can read. The first call for a name creates the folder, and
 * later calls only look it up. To create it, `fill` writes to a temporary folder, which is then renamed. Safe to call
 * from any number of processes at once. `user` is the user that the browser runs as, if not Atelier's own.
 */
export async function cachedFolder(options: {
  dataDir: string;
  user: OsUser | undefined;
  name: string;
  fill: (folder: string) => Promise<void>;
}): Promise<string> {
  const { dataDir, user, name, fill } = options;
  const folder = await cachedPath(dataDir, user, name);
  if (await isThere(folder)) return folder;

  const cache = dirname(folder);
  const partial = `${folder}.${randomUUID()}.partial`;
  // Processes that start at once need the time and the space only once. On other machines, the lock has no effect.
  const lock = await waitForLock(`fill ${folder}`, () => {});
  try {
    if (await isThere(folder)) return folder;
    await mkdir(partial, { recursive: true });
    // Set the mode explicitly, regardless of the umask, because another user may have to read the folder.
    for (const path of [cache, partial]) await chmod(path, 0o755);
    await removeAbandoned(cache);
    await fill(partial);
    // Because of the rename, the folder is either complete or absent. If another process was faster, use its folder.
    await rename(partial, folder).catch(async (error: unknown) => {
      if (!(await isThere(folder))) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
    await lock.release();
  }
  return folder;
}
