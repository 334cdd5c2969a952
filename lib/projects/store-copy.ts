import { storeImage } from './store-image';

type Copy = { projectId: string; userId: string; bytes: Uint8Array; fileName: string };

/**
 * Stores a copy of an image in a project and returns its id, or the id of the project's image with the same bytes.
 * Throws `invalid_image` or `unavailable`.
 */
export async function storeCopy(copy: Copy): Promise<string> {
  return (await storeImage({ ...copy, idempotency: null, reuse: true })).id;
}
