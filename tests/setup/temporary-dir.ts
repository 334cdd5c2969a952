import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { browserUser } from '@/lib/pdf/chromium/browser-user';
import { unpackChromium } from '@/lib/pdf/chromium/unpack';
import { printFonts } from '@/lib/pdf/fonts/print-fonts';

export type DataDir = { path: string; remove(): Promise<void> };

/** The folder where the browser is unpacked once per checkout, not once for each product that a test starts. */
export const browserCache = join(import.meta.dirname, '../../node_modules/.cache/atelier');

/**
 * The data folders to remove when this process exits. The browser of a worker uses its profile until then, and Ctrl-C
 * ends the tests without running their `afterAll`.
 */
const folders = new Set<string>();
process.on('exit', () => {
  for (const path of folders) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
});

/** Makes a data folder that other users can access. When the tests run as root, Postgres runs as another user. */
export async function makeDataDir(parent = tmpdir()): Promise<DataDir> {
  const path = await mkdtemp(join(parent, 'atelier-test-'));
  folders.add(path);
  await chmod(path, 0o755);
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
      folders.delete(path);
    },
  };
}

/**
 * Makes a data folder for Postgres, in memory if Linux has at least 2 GB left for it. A cluster has a thousand files,
 * and ext4 is slow at creating files soon after others were deleted. On ext4, Postgres took two to three times as much
 * CPU time for the tests in `tests/sql`. Programs cannot be unpacked into this folder, because containers often mount
 * `/dev/shm` with `noexec`.
 */
export async function makeDatabaseDir(): Promise<DataDir> {
  const memory = await statfs('/dev/shm').catch(() => null);
  const hasRoom = memory && memory.bavail * memory.bsize >= 2 * 1024 ** 3;
  return makeDataDir(hasRoom ? '/dev/shm' : undefined);
}

/** Makes a data folder that already has the printing browser and its fonts, as after a first export. */
export async function makePrintingDataDir(): Promise<DataDir> {
  const [folder] = await Promise.all([makeDataDir(), printFonts(browserCache)]);
  const { executable } = await unpackChromium(browserCache, browserUser());
  const ready = dirname(dirname(executable));
  const target = join(folder.path, 'chromium');
  await mkdir(target);
  const copy = (how: string) => promisify(execFile)('cp', [how, `${ready}/.`, target]);
  // Hard links take almost no time or space. They are impossible if the temporary folder is on another file system, so
  // copy the files in that case. The failed try has already made folders, which the copy fills.
  await copy('-al').catch(() => copy('-a'));
  return folder;
}
