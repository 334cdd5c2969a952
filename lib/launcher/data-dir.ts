import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Lock, tryLock } from './lock';
import { StartError } from './start-error';

/** `mkdir -p`. Node's recursive `mkdir` never returns below a folder that rejects new folders, such as /proc. */
async function makeFolders(path: string): Promise<void> {
  const made = await stat(path).catch(() => null);
  if (made?.isDirectory()) return;
  if (dirname(path) !== path) await makeFolders(dirname(path));
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Creates the data folder if it does not exist. Throws a StartError if it is not writable. */
export async function requireWritableDataDir(dataDir: string): Promise<void> {
  const probe = join(dataDir, `.probe-${process.pid}`);
  try {
    await makeFolders(dataDir);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new StartError(
      `The data folder ${dataDir} is not writable (${reason}). Set ATELIER_DATA_DIR to a writable folder.`,
    );
  }
}

/** Locks the data folder for this process. Throws a StartError if another running instance has locked it. */
export async function claimDataDir(dataDir: string): Promise<Lock> {
  const lock = await tryLock(`data ${dataDir}`);
  if (lock) return lock;
  throw new StartError(
    `Another instance of Atelier is using the data folder ${dataDir}. Stop it, or set ATELIER_DATA_DIR and other ports for this one.`,
  );
}
