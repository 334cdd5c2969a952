import { join } from 'node:path';
import { z } from 'zod';
import { readSnapshot, writeSnapshot } from './snapshot';

/** Which files of which asset. `id` is a checked asset id, `filesHash` the version of its files. */
export type FilesPlace = { folder: string; libraryUrl: string; id: string; filesHash: string };

const stored = z.object({
  form: z.literal(1),
  library: z.string(),
  filesHash: z.string(),
  /** In milliseconds since 1970. */
  fetchedAt: z.int().min(1),
  /** As the library sent it: what is kept of it may change with our settings. */
  files: z.unknown(),
});

function fileOf({ folder, id }: FilesPlace): string {
  return join(folder, 'files', `${id}.json`);
}

/** The last file tree that this library gave for this version of an asset. Null when there is none. */
export async function readFiles(place: FilesPlace): Promise<{ files: unknown; fetchedAt: number } | null> {
  const found = await readSnapshot(fileOf(place), stored);
  if (found?.library !== place.libraryUrl || found.filesHash !== place.filesHash) return null;
  return found;
}

/** Saves a file tree for the next start, one file an asset. Throws when the folder cannot be written. */
export function writeFiles(place: FilesPlace, files: unknown, fetchedAt: number): Promise<void> {
  const { libraryUrl: library, filesHash } = place;
  return writeSnapshot(fileOf(place), { form: 1, library, filesHash, fetchedAt, files });
}
