import type { Caller } from '@/lib/auth/caller';
import { uuid } from '@/lib/http/uuid';
import { readObject, signedUrls, VIEW_URL_S } from '@/lib/storage/objects';
import { dataOf } from '@/lib/supabase/database-error';
import type { Db } from '@/lib/supabase/request';
import type { CopiedImage } from './copies/schema';
import { MAX_IMAGE_BYTES } from './schema';
import { storeImage } from './store-image';

/** The number of keys to look up per query: 500 characters in a URL take up to 1,500, and servers accept about 16,000. */
const FOUND_AT_ONCE = 5;

type SourceImage = {
  key: string;
  projectId: string;
  path: string;
  fileName: string;
  width: number;
  height: number;
};

/** Matches ASCII without quotes and backslashes, which the database client does not escape. No path has others. */
const pathText = /^[ !#-[\]-~]+$/;

async function findSome(db: Db, keys: string[]): Promise<SourceImage[]> {
  const ids = keys.filter((key) => uuid.safeParse(key).success);
  const paths = keys.filter((key) => !ids.includes(key) && pathText.test(key));
  const uploads = () =>
    db.from('document_images').select('id,project_id,storage_path,file_name,width,height');
  const [byId, byPath, variants] = await Promise.all([
    uploads().in('id', ids),
    uploads().in('storage_path', paths),
    db.from('image_variants').select('project_id,path,width,height').in('path', paths).is('deleted_at', null),
  ]);
  const sourceOf = (key: string, row: { project_id: string; width: number; height: number }) => ({
    key,
    projectId: row.project_id,
    width: row.width,
    height: row.height,
  });
  return [
    ...dataOf(byId).map((row) => ({
      ...sourceOf(row.id, row),
      path: row.storage_path,
      fileName: row.file_name,
    })),
    ...dataOf(byPath).map((row) => ({
      ...sourceOf(row.storage_path, row),
      path: row.storage_path,
      fileName: row.file_name,
    })),
    ...dataOf(variants).map((row) => ({ ...sourceOf(row.path, row), path: row.path, fileName: 'image' })),
  ];
}

/**
 * Returns the images with these keys in all projects that the caller can see. The database decides what that is, so
 * `db` must be the caller's own client. Throws `unavailable`.
 */
async function findSources(db: Db, keys: string[]): Promise<SourceImage[]> {
  const found: SourceImage[] = [];
  for (let from = 0; from < keys.length; from += FOUND_AT_ONCE) {
    found.push(...(await findSome(db, keys.slice(from, from + FOUND_AT_ONCE))));
  }
  return found;
}

/**
 * Copies images of other projects into a project, each once, however often it is copied. Images that the project
 * already has stay as they are. Leaves out those that the caller cannot see, and those whose files are missing or too
 * large for an upload. Throws `invalid_image` for a file that is no longer an image, and `unavailable`.
 */
export async function copyImages(
  { db, userId }: Pick<Caller, 'db' | 'userId'>,
  projectId: string,
  keys: string[],
): Promise<CopiedImage[]> {
  const copied: CopiedImage[] = [];
  for (const { key, path, fileName, width, height, ...source } of await findSources(db, keys)) {
    if (source.projectId === projectId) {
      const [url] = await signedUrls([path], VIEW_URL_S);
      copied.push({ key, newKey: key, url: url ?? null, width, height });
      continue;
    }
    // Copy one image at a time, because each is held in memory.
    const bytes = await readObject(path, MAX_IMAGE_BYTES);
    if (!bytes) continue;
    const image = await storeImage({ projectId, userId, bytes, fileName, idempotency: null, reuse: true });
    copied.push({ key, newKey: image.id, url: image.url, width: image.width, height: image.height });
  }
  return copied;
}
