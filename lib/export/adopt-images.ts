import type { Caller } from '@/lib/auth/caller';
import { requireProjectRole } from '@/lib/auth/project-role';
import { isHttpError } from '@/lib/errors/problem';
import { concurrencyLimit } from '@/lib/process/concurrency-limit';
import { readObject } from '@/lib/storage/objects';
import { findImages } from './snapshot';

/** The maximum number of images to copy for one document, and the size of one in bytes. */
const MAX_COPIES = 100;
const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** Stores an image in the project of a document and returns its id. Throws `invalid_image`. */
export type StoreCopy = (bytes: Uint8Array) => Promise<string>;

/** Returns whether the caller may see a project. Throws `unavailable`. */
async function canSee(caller: Caller, projectId: string): Promise<boolean> {
  try {
    await requireProjectRole(caller, { projectId }, 'viewer');
    return true;
  } catch (error) {
    if (isHttpError(error) && ['not_found', 'forbidden'].includes(error.code)) return false;
    throw error;
  }
}

/**
 * Finds the images for a document that is being opened in a project. Returns null for each image that the project has,
 * and the id of a copy for each image of the project `from`, if the caller may see that project. Other images are left
 * out. Throws `unavailable`.
 */
export async function adoptImages(
  caller: Caller,
  { projectId, from, keys }: { projectId: string; from: string; keys: string[] },
  store: StoreCopy,
): Promise<Map<string, string | null>> {
  const found = new Map<string, string | null>();
  for (const { key } of await findImages(projectId, keys)) found.set(key, null);
  const others = keys.filter((key) => !found.has(key));
  if (others.length === 0 || from === projectId || !(await canSee(caller, from))) return found;
  const files = (await findImages(from, others)).slice(0, MAX_COPIES);
  const limited = concurrencyLimit(2);
  const copy = async ({ key, path }: (typeof files)[number]) => {
    const bytes = await readObject(path, MAX_FILE_BYTES);
    if (!bytes) return;
    try {
      found.set(key, await store(bytes));
    } catch (error) {
      if (!isHttpError(error) || error.code !== 'invalid_image') throw error;
    }
  };
  await Promise.all(files.map((file) => limited(() => copy(file))));
  return found;
}
