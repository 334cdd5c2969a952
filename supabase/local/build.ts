import { access, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Child } from './children';
import { livePid, processIdentity } from './live-process';
import { waitForLock } from './lock';
import { sourceHash } from './source-hash';
import { StartError } from './start-error';

export type BuildOptions = {
  root: string;
  /** The build's folder, relative to the root. */
  distDir: string;
  /** Starts `next build`; awaited to its end. */
  runBuild: () => Child;
  log: (line: string) => void;
  signal?: AbortSignal;
};

/** Which running copies serve from a build. Next's own cleaning leaves the cache folder alone. */
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
 * Builds the pages unless a build of these very sources is there, and notes that this process serves from it.
 * Two starts at once take turns; a build that a running copy serves from is never replaced below its feet.
 */
export async function ensureBuild({ root, distDir, runBuild, log, signal }: BuildOptions): Promise<void> {
  const dist = join(root, distDir);
  const marker = join(dist, 'source-hash');
  const lock = await waitForLock(`build ${dist}`, () => log('Waiting for another build to end …'), signal);
  try {
    const hash = await sourceHash(root);
    const built = await readFile(marker, 'utf8').catch(() => undefined);
    if (built !== hash) {
      const [user] = await liveUsers(dist);
      if (user !== undefined) {
        throw new StartError(
          `The build in ${distDir} is out of date, but a running copy (process ${user}) serves from it: stop that one first.`,
        );
      }
      await rm(marker, { force: true });
      const build = runBuild();
      await build.exited;
      signal?.throwIfAborted();
      // Next has been seen to end well in the middle; the id is the last thing that a whole build writes.
      const whole = await access(join(dist, 'BUILD_ID')).then(
        () => true,
        () => false,
      );
      if (build.process.exitCode !== 0 || !whole) throw new StartError(`The build failed.\n${build.tail()}`);
      await writeFile(marker, hash);
    }
    await registerUse(dist);
  } finally {
    await lock.release();
  }
}
