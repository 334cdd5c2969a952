import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { canEnter, type OsUser } from './os-user';

/** An unpacked Chromium; all three are absolute paths. */
export type ChromiumFiles = {
  executable: string;
  /** Folder of the shared libraries that a bare machine lacks. */
  libraries: string;
  /** Folder with a `fonts.conf` and the fonts that it names. Without any, a page has no text and says nothing. */
  fonts: string;
};

const SHELTER = '/var/cache/atelier';
const ABANDONED_MS = 10 * 60_000;

function filesIn(folder: string): ChromiumFiles {
  return {
    executable: join(folder, 'chromium'),
    libraries: join(folder, 'lib'),
    fonts: join(folder, 'fonts'),
  };
}

/** For whatever family a page asks: these are the only fonts, and the same ones on each machine. */
function fontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;
}

async function unpackInto(folder: string, final: string, entry: string): Promise<void> {
  // What unpacks tar archives comes with the package, as its own dependency.
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
    unbrotli('fonts.tar.br', tar.extract(folder, { readable: true, chown: false })),
  ]);
  await writeFile(join(folder, 'fonts', 'fonts.conf'), fontsConf(filesIn(final).fonts));
  // Whatever our umask: it may have to be run by another user.
  for (const path of [folder, executable]) await chmod(path, 0o755);
  await chmod(join(folder, 'fonts', 'fonts.conf'), 0o644);
}

/** What an unpacking that was killed has left. Never what another process may be writing to just now. */
async function removeAbandoned(cache: string): Promise<void> {
  const partial = (await readdir(cache)).filter((name) => name.endsWith('.partial'));
  for (const path of partial.map((name) => join(cache, name))) {
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** The cache below the data folder; when `user` cannot enter that one (it lies below a closed home), a shared one. */
async function cacheFolder(dataDir: string, user: OsUser | undefined): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  if (canEnter(dataDir, user)) return join(dataDir, 'chromium');
  await mkdir(SHELTER, { recursive: true, mode: 0o755 });
  const { uid, mode } = await stat(SHELTER);
  if (uid !== 0 || (mode & 0o022) !== 0) {
    throw new Error(`Chromium cannot be unpacked: others may write to ${SHELTER}.`);
  }
  return SHELTER;
}

/**
 * Unpacks the Chromium of our packages, once for each version of it: about 210 MB, some seconds; after that it only
 * looks. Any number of processes may call it at once. `user` is whom the browser will run as, if not us. The package
 * is found from the working directory, which is the checkout's wherever we run.
 */
export async function unpackChromium(dataDir: string, user?: OsUser): Promise<ChromiumFiles> {
  const entry = createRequire(join(process.cwd(), 'package.json')).resolve('@sparticuz/chromium');
  const manifest = JSON.parse(await readFile(join(dirname(entry), '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const cache = await cacheFolder(dataDir, user);
  const folder = join(cache, `chromium-${manifest.version}-${process.arch}`);
  if (await isThere(folder)) return filesIn(folder);

  const partial = `${folder}.${randomUUID()}.partial`;
  await mkdir(partial, { recursive: true });
  try {
    await chmod(cache, 0o755);
    await removeAbandoned(cache);
    await unpackInto(partial, folder, entry);
    // The rename makes it complete or absent; whoever renames second uses what the first one left.
    await rename(partial, folder).catch(async (error: unknown) => {
      if (!(await isThere(folder))) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return filesIn(folder);
}
