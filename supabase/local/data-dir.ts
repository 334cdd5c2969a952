import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Lock, tryLock } from './lock';
import { StartError } from './start-error';

/** `mkdir -p`, step by step: Node's own never ends below a folder that accepts no new ones, such as /proc. */
async function makeFolders(path: string): Promise<void> {
  const made = await stat(path).catch(() => null);
  if (made?.isDirectory()) return;
  if (dirname(path) !== path) await makeFolders(dirname(path));
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Makes the data folder if there is none; throws a StartError if it can't be written to. */
export async function requireWritableDataDir(dataDir: string): Promise<void> {
  const probe = join(dataDir, `.probe-${process.pid}`);
  try {
    await makeFolders(dataDir);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new StartError(
      `The data folder ${dataDir} can't be written to (${reason}): set ATELIER_DATA_DIR to a folder that can.`,
    );
  }
}

/** Claims the data folder for this process; throws a StartError while another running copy has it. */
export async function claimDataDir(dataDir: string): Promise<Lock> {
  const lock = await tryLock(`data ${dataDir}`);
  if (lock) return lock;
  throw new StartError(
    `Another copy of Atelier is running on the data folder ${dataDir}: stop it, or set ATELIER_DATA_DIR (and the ports) for a second one.`,
  );
}
