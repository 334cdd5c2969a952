import { randomUUID } from 'node:crypto';
import {
  chmod,
  copyFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DerivativeFile, openDerivative, packDerivative } from './derivative-file';
import type { DerivedImage, ImageRefusal } from './derive-image';

/** A cache of derived images on disk. Any number of processes may share a folder. */
export type DerivativeStore = {
  /** Makes a folder for one export's files, next to the cached files. The caller removes the folder. */
  makeFolder: () => Promise<string>;
  /**
   * Puts a derived image into an export's folder. Runs `make` if the image is not cached; concurrent calls for the same
   * key share one run.
   */
  place: (
    key: string,
    target: { folder: string; name: string },
    make: () => Promise<DerivedImage | ImageRefusal>,
  ) => Promise<DerivativeFile | ImageRefusal>;
};

const MAX_BYTES = 1024 * 1024 * 1024;
/** A cleanup shrinks the store to this fraction of its limit, so that the next new file does not need a cleanup. */
const ROOM = 0.8;
/**
 * Age in milliseconds at which a partial file or an export's folder counts as abandoned. By then, no process still
 * writes the file, and no export still reads the folder.
 */
const ABANDONED_MS = 10 * 60_000;
/** Milliseconds for which a file is kept after its last use, even if the store exceeds its limit. */
const FRESH_MS = 60_000;

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';
const orNull = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });

type Kept = { path: string; size: number; usedAt: number };

async function listKept(folder: string): Promise<Kept[]> {
  const names = await readdir(folder, { recursive: true });
  const found = await Promise.all(
    names
      .filter((name) => /^[0-9a-f]{2}[/\\]/.test(name))
      .map(async (name) => {
        const path = join(folder, name);
        const info = await orNull(stat(path));
        return info ? [{ path, size: info.size, usedAt: info.mtimeMs }] : [];
      }),
  );
  return found.flat();
}

/**
 * Removes what killed exports and processes left behind. If the store exceeds `maxBytes`, also removes the least
 * recently used images. Returns the total size of the cached files that remain, in bytes.
 */
async function makeRoom(folder: string, maxBytes: number): Promise<number> {
  const now = Date.now();
  for (const name of (await readdir(folder)).filter((entry) => entry.startsWith('export-'))) {
    const info = await orNull(stat(join(folder, name)));
    if (info && now - info.mtimeMs > ABANDONED_MS)
      await rm(join(folder, name), { recursive: true, force: true });
  }
  const kept = await listKept(folder);
  let total = kept.reduce((sum, { size }) => sum + size, 0);
  const bound = total > maxBytes ? maxBytes * ROOM : maxBytes;
  for (const { path, size, usedAt } of kept.sort((a, b) => a.usedAt - b.usedAt)) {
    const isPartial = path.endsWith('.partial');
    const isOver = total > bound && now - usedAt > FRESH_MS && !isPartial;
    if (!isOver && !(isPartial && now - usedAt > ABANDONED_MS)) continue;
    await rm(path, { force: true });
    total -= size;
  }
  return total;
}

/**
 * Hard-links a cached file to `target`, so that `target` remains when the file is removed from the cache. Copies the
 * file if it cannot be linked. Returns null if the file is missing or truncated.
 */
async function takeInto(path: string, target: string): Promise<DerivativeFile | null> {
  const linked = link(path, target).catch((error: unknown) => {
    if (isMissing(error)) throw error;
    return copyFile(path, target);
  });
  if ((await orNull(linked.then(() => true))) === null) return null;
  const now = new Date();
  await orNull(utimes(path, now, now));
  const file = await openDerivative(target);
  if (file) return file;
  // The file is truncated, for example by a power failure. Remove it, so that the image is made again.
  await Promise.all([path, target].map((each) => rm(each, { force: true })));
  return null;
}

/**
 * Makes a store of derived images below `folder`. Removes the least recently used images when the store exceeds
 * `maxBytes`. The store can exceed `maxBytes` for a while, because only a cleanup counts the files that other processes
 * have added.
 */
export function derivativeStore(folder: string, maxBytes = MAX_BYTES): DerivativeStore {
  const underWay = new Map<string, Promise<ImageRefusal | null>>();
  let total: number | undefined;

  const keep = async (path: string, bytes: Uint8Array) => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const partial = `${path}.${randomUUID()}.partial`;
    try {
      await writeFile(partial, bytes, { mode: 0o600 });
      await rename(partial, path);
    } finally {
      await rm(partial, { force: true });
    }
    const before = total;
    total = before === undefined ? await makeRoom(folder, maxBytes) : before + bytes.length;
    if (total > maxBytes) total = await makeRoom(folder, maxBytes);
  };

  const makeOnce = async (key: string, make: () => Promise<ImageRefusal | null>) => {
    for (let others = underWay.get(key); others; others = underWay.get(key)) {
      // Another caller's failure, such as its cancellation, must not fail this call.
      const done = await others.then((refusal) => ({ refusal })).catch(() => null);
      if (done) return done.refusal;
    }
    const making = make().finally(() => underWay.delete(key));
    underWay.set(key, making);
    return making;
  };

  return {
    makeFolder: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // `mkdir` keeps the mode of an existing folder, which an earlier version made readable by every user of the
      // machine. Ignore errors, because the folder may belong to another user.
      await chmod(folder, 0o700).catch(() => undefined);
      return mkdtemp(join(folder, 'export-'));
    },
    place: async (key, target, make) => {
      const path = join(folder, key.slice(0, 2), key);
      const end = join(target.folder, target.name);
      const kept = await takeInto(path, end);
      if (kept) return kept;
      const refusal = await makeOnce(key, async () => {
        const made = await make();
        if (typeof made === 'string') return made;
        await keep(path, packDerivative(made));
        return null;
      });
      if (refusal) return refusal;
      const made = await takeInto(path, end);
      if (!made) throw new Error('A derived image disappeared before it could be used.');
      return made;
    },
  };
}
