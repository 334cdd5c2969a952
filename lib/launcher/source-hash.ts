import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitForLock } from '../process/lock.ts';

/**
 * Matches the names of the root folder's files that go into a build. TypeScript, npm and Next find these files by name.
 */
const builtInRoot =
  /^(instrumentation-client|mdx-components|next\.config|package(-lock)?|postcss\.config|proxy|tsconfig)\.(ts|tsx|mjs|cjs|js|json)$/;

async function filesBelow(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Returns a SHA-256 hash of the names and contents of the files in `root` and in these folders that go into a build. */
export async function sourceHash(root: string, folders: string[]): Promise<string> {
  const top = (await readdir(root)).filter((name) => builtInRoot.test(name));
  const below = await Promise.all(folders.map((folder) => filesBelow(root, folder)));
  const files = [...top.map((name) => join(root, name)), ...below.flat()].sort();
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = await readFile(file);
    hash.update(`${file.slice(root.length)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

type Build = {
  root: string;
  /** The folders of `root` whose files go into the build. */
  sources: string[];
  /** The folder that `make` writes to. */
  target: string;
  make: () => Promise<void>;
  /** Called before `make`. Throws if the target must not be replaced now. */
  requireReplaceable?: () => Promise<void>;
  /** Called once the target is current, before another call can replace it. */
  use?: () => Promise<void>;
  log: (line: string) => void;
  signal?: AbortSignal;
};

/**
 * Calls `make` unless the target was made from the same sources. Concurrent calls for one target wait for each other.
 * After an error of `make`, the next call makes the target again.
 */
export async function makeFromSources(build: Build): Promise<void> {
  const { root, sources, target, make, requireReplaceable, use, log, signal } = build;
  const marker = join(target, 'source-hash');
  const lock = await waitForLock(
    `build ${target}`,
    () => log('Waiting for another build to finish …'),
    signal,
  );
  try {
    const hash = await sourceHash(root, sources);
    if ((await readFile(marker, 'utf8').catch(() => undefined)) !== hash) {
      await requireReplaceable?.();
      await rm(marker, { force: true });
      await make();
      await mkdir(target, { recursive: true });
      await writeFile(marker, hash);
    }
    await use?.();
  } finally {
    await lock.release();
  }
}
