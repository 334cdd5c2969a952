import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import type { OsUser } from '@/lib/process/os-user';
import { cachedFolder } from './cached-folder';

/** The paths of an unpacked Chromium, both absolute. */
export type ChromiumFiles = {
  executable: string;
  /** Folder of the shared libraries that a minimal machine lacks. */
  libraries: string;
};

function filesIn(folder: string): ChromiumFiles {
  return { executable: join(folder, 'chromium'), libraries: join(folder, 'lib') };
}

async function unpackInto(folder: string, entry: string): Promise<void> {
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
  await Promise.all([
    unbrotli('chromium.br', createWriteStream(executable)),
    unbrotli('al2023.tar.br', tar.extract(folder, { readable: true, chown: false })),
  ]);
  await chmod(executable, 0o755);
}

/**
 * Returns the paths of the unpacked Chromium. The first call for a version unpacks Chromium from its installed package,
 * which takes a few seconds and about 210 MB. Later calls only look up the result. Safe to call from any number of
 * processes at once. `user` is the user that the browser runs as, if not Atelier's own. The package is resolved from
 * the working directory, which is always the checkout.
 */
export async function unpackChromium(dataDir: string, user?: OsUser): Promise<ChromiumFiles> {
  const entry = createRequire(join(process.cwd(), 'package.json')).resolve('@sparticuz/chromium');
  const manifest = JSON.parse(await readFile(join(dirname(entry), '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const name = `chromium-${manifest.version}-${process.arch}`;
  return filesIn(await cachedFolder({ dataDir, user, name, fill: (folder) => unpackInto(folder, entry) }));
}
