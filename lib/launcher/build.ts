import { access, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../errors/start-error.ts';
import { livePid, processIdentity } from '../process/live-process.ts';
import type { Child } from './children.ts';
import { makeFromSources } from './source-hash.ts';

const sources = ['app', 'components', 'hooks', 'lib', 'public'];

type BuildOptions = {
  root: string;
  /** The build folder, relative to the root. */
  distDir: string;
  /** Starts `next build`. */
  runBuild: () => Child;
  log: (line: string) => void;
  signal?: AbortSignal;
};

/**
 * Returns the folder that contains a file for each process that uses the build. It is in Next's cache folder, which a
 * build does not delete.
 */
const usersFolder = (dist: string) => join(dist, 'cache', 'atelier-users');

async function liveUsers(dist: string): Promise<number[]> {
  const identities = await readdir(usersFolder(dist)).catch(() => []);
  return identities.flatMap((identity) => livePid(identity) ?? []).filter((pid) => pid !== process.pid);
}

async function registerUse(dist: string): Promise<void> {
  const folder = usersFolder(dist);
  await mkdir(folder, { recursive: true });
  for (const identity of await readdir(folder)) {
    if (livePid(identity) === undefined) await rm(join(folder, identity), { force: true });
  }
  await writeFile(join(folder, processIdentity(process.pid) ?? ''), '');
}

/**
 * Builds the app unless a build of the same sources exists, and registers this process as a user of the build.
 * Concurrent builds wait for each other. Throws a StartError if the build fails, or if another process is running from
 * an outdated build, because replacing the build would break that process.
 */
export async function ensureBuild({ root, distDir, runBuild, log, signal }: BuildOptions): Promise<void> {
  const dist = join(root, distDir);
  const requireReplaceable = async () => {
    const [user] = await liveUsers(dist);
    if (user === undefined) return;
    throw new StartError(
      `The build in ${distDir} is out of date, but process ${user} is running from it. Stop that process first.`,
    );
  };
  const make = async () => {
    const build = runBuild();
    await build.exited;
    signal?.throwIfAborted();
    // Next can exit with code 0 before it has finished. It writes BUILD_ID only after compiling the app.
    const whole = await access(join(dist, 'BUILD_ID')).then(
      () => true,
      () => false,
    );
    if (build.process.exitCode !== 0 || !whole) throw new StartError(`The build failed.\n${build.tail()}`);
  };
  const use = () => registerUse(dist);
  await makeFromSources({ root, sources, target: dist, make, requireReplaceable, use, log, signal });
}
