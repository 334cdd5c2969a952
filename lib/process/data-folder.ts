import { mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, isDiskFull } from '../errors/error-parts.ts';
import { StartError } from '../errors/start-error.ts';
import { type Lock, tryLock } from './lock.ts';

/**
 * Creates a folder and its missing parents. Does not use Node's recursive `mkdir`, which hangs in a folder such as
 * /proc, where creating a folder fails with ENOENT.
 */
async function makeFolders(path: string): Promise<void> {
  const existing = await stat(path).catch(() => null);
  if (existing?.isDirectory()) return;
  if (dirname(path) !== path) await makeFolders(dirname(path));
  await mkdir(path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}

/** Creates the data folder if it does not exist. Throws a StartError, or a system error if the disk is full. */
export async function requireWritable(dataDir: string): Promise<void> {
  const probe = join(dataDir, `.probe-${process.pid}`);
  try {
    await makeFolders(dataDir);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    if (isDiskFull(error)) throw error;
    const reason = codeOf(error) || String(error);
    throw new StartError(
      `The data folder ${dataDir} is not writable (${reason}). Set ATELIER_DATA_DIR to a writable folder.`,
    );
  }
}

/**
 * Locks the data folder, so that only one process in each role can use it. The folder must exist. Throws a StartError
 * if another process in the same role holds the lock.
 */
export async function claimDataFolder(
  role: 'instance of Atelier' | 'backend',
  dataDir: string,
): Promise<Lock> {
  const lock = await tryLock(`${role} ${await realpath(dataDir)}`);
  if (lock) return lock;
  throw new StartError(
    `Another ${role} is using the data folder ${dataDir}. Stop it, or set ATELIER_DATA_DIR and other ports for this one.`,
  );
}
