import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { refuse } from '@/supabase/local/backend/storage/storage-error';

export type StoredBytes = { version: string; size: number; md5: string };

export type ByteStore = {
  /** Streams the bytes to disk. If there are more than `limit` bytes or `source` fails, keeps none and throws. */
  write(source: AsyncIterable<Uint8Array>, limit: number): Promise<StoredBytes>;
  read(version: string, start: number, end: number): NodeJS.ReadableStream & AsyncIterable<Buffer>;
  remove(versions: (string | null)[]): Promise<void>;
  /**
   * Removes the leftovers of a crash, namely unfinished uploads and files that no row refers to. `isKnown` takes
   * versions and returns the ones that a row refers to.
   */
  sweep(isKnown: (versions: string[]) => Promise<Set<string>>): Promise<void>;
};

const VERSION = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/**
 * Opens the store that keeps object bytes at `<dir>/<first 2 characters of version>/<version>`. Bucket names and object
 * keys are not part of the path, which rules out path traversal.
 */
export async function openByteStore(dir: string): Promise<ByteStore> {
  const incoming = join(dir, 'incoming');
  await mkdir(incoming, { recursive: true, mode: 0o700 });

  function pathOf(version: string): string {
    if (!VERSION.test(version)) throw refuse.noSuchKey();
    return join(dir, version.slice(0, 2), version);
  }

  return {
    write: async (source, limit) => {
      const version = randomUUID();
      const temporary = join(incoming, version);
      const hash = createHash('md5');
      let size = 0;
      const file = await open(temporary, 'wx', 0o600);
      try {
        try {
          for await (const chunk of source) {
            size += chunk.length;
            if (size > limit) throw refuse.tooLarge();
            hash.update(chunk);
            await file.writeFile(chunk);
          }
          await file.sync();
        } finally {
          await file.close();
        }
        const path = pathOf(version);
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await rename(temporary, path);
        await syncFolder(dirname(path));
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      return { version, size, md5: hash.digest('hex') };
    },
    read: (version, start, end) => createReadStream(pathOf(version), { start, end }),
    remove: async (versions) => {
      for (const version of versions) {
        if (version && VERSION.test(version)) await rm(pathOf(version), { force: true });
      }
    },
    sweep: async (isKnown) => {
      for (const name of await readdir(incoming)) await rm(join(incoming, name), { force: true });
      for (const folder of await readdir(dir)) {
        if (!/^[0-9a-f]{2}$/.test(folder)) continue;
        const versions = (await readdir(join(dir, folder))).filter((name) => VERSION.test(name));
        const known = await isKnown(versions);
        for (const version of versions) if (!known.has(version)) await rm(pathOf(version), { force: true });
      }
    },
  };
}
