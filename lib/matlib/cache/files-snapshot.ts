import { join } from 'node:path';
import { z } from 'zod';
import { readSnapshot, writeSnapshot } from './snapshot';

/**
 * Identifies the stored files of an asset. `id` is a validated asset id, and `filesHash` is the version of its files.
 */
export type FilesLocation = { folder: string; libraryUrl: string; id: string; filesHash: string };

const stored = z.object({
  form: z.literal(1),
  library: z.string(),
  filesHash: z.string(),
  /** Milliseconds since 1970. */
  fetchedAt: z.int().min(1),
  /** The library's original file tree. It is filtered when read, because the allowed hosts may have changed by then. */
  files: z.unknown(),
});

function fileOf({ folder, id }: FilesLocation): string {
  return join(folder, 'files', `${id}.json`);
}

/** Returns the file tree that was stored for this library and this version of the asset, or null. */
export async function readFiles(
  location: FilesLocation,
): Promise<{ files: unknown; fetchedAt: number } | null> {
  const found = await readSnapshot(fileOf(location), stored);
  if (found?.library !== location.libraryUrl || found.filesHash !== location.filesHash) return null;
  return found;
}

/** Saves a file tree on disk, in one file per asset. Throws if the folder is not writable. */
export function writeFiles(location: FilesLocation, files: unknown, fetchedAt: number): Promise<void> {
  const { libraryUrl: library, filesHash } = location;
  return writeSnapshot(fileOf(location), { form: 1, library, filesHash, fetchedAt, files });
}
