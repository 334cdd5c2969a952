import type { Caller } from '@/lib/auth/caller';
import { isHttpError } from '@/lib/errors/problem';
import { uuid } from '@/lib/http/uuid';
import { readObject, signedUrls, VIEW_URL_S } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import type { Db } from '@/lib/supabase/request';
import type { CopiedImage, FailedCopy } from './copies/schema';
import { MAX_IMAGE_BYTES } from './schema';
import { storeImage } from './store-image';

/**
 * The number of keys to look up per query. A key takes up to 1,500 characters in a URL, and servers accept URLs of up
 * to about 16,000 characters.
 */
const FOUND_AT_ONCE = 5;

type SourceImage = {
  key: string;
  projectId: string;
  path: string;
  fileName: string;
  width: number;
  height: number;
  /** The SVG, if the image was uploaded as one. */
  svg: string | null;
};

/**
 * Matches printable ASCII except double quotes and backslashes, which the database client does not escape. No path
 * contains other characters.
 */
const pathText = /^[ !#-[\]-~]+$/;

type Variant = { project_id: string; path: string; width: number; height: number; deleted_at: string | null };

/** Omits deleted variants, unless a page template shows them. */
async function withoutDeleted(variants: Variant[]): Promise<Variant[]> {
  const deleted = variants.filter(({ deleted_at }) => deleted_at !== null).map(({ path }) => path);
  if (deleted.length === 0) return variants;
  const kept = dataOf(await adminDb().rpc('template_images', { p_paths: deleted }));
  return variants.filter(({ path, deleted_at }) => deleted_at === null || kept.includes(path));
}

/**
 * Returns whether the database returned a requested key. The database returns an id in lowercase, even if the request
 * contains it in uppercase.
 */
function isIn(returned: string[], key: string): boolean {
  return returned.includes(key) || returned.includes(key.toLowerCase());
}

async function findSome(db: Db, keys: string[]): Promise<SourceImage[]> {
  const ids = keys.filter((key) => uuid.safeParse(key).success);
  const paths = keys.filter((key) => !ids.includes(key) && pathText.test(key));
  const uploads = () =>
    db.from('document_images').select('id,project_id,storage_path,file_name,width,height,svg');
  const [byId, byPath, variants] = await Promise.all([
    uploads().in('id', ids),
    uploads().in('storage_path', paths),
    db.from('image_variants').select('project_id,path,width,height,deleted_at').in('path', paths),
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
      svg: row.svg,
    })),
    ...dataOf(byPath).map((row) => ({
      ...sourceOf(row.storage_path, row),
      path: row.storage_path,
      fileName: row.file_name,
      svg: row.svg,
    })),
    ...(await withoutDeleted(dataOf(variants))).map((row) => ({
      ...sourceOf(row.path, row),
      path: row.path,
      fileName: 'image',
      svg: null,
    })),
  ];
}

/**
 * Returns the images with these keys from all projects that the caller can see, in the order of the keys. Omits deleted
 * images, unless a page template shows them. The database decides which projects the caller can see, so `db` must be
 * the caller's own client. Throws `unavailable`.
 */
async function findSources(db: Db, keys: string[]): Promise<SourceImage[]> {
  const found: SourceImage[] = [];
  for (let from = 0; from < keys.length; from += FOUND_AT_ONCE) {
    found.push(...(await findSome(db, keys.slice(from, from + FOUND_AT_ONCE))));
  }
  const place = ({ key }: SourceImage) => keys.findIndex((each) => isIn([key], each));
  return found.sort((one, other) => place(one) - place(other));
}

/**
 * Copies images from other projects into a project. Does not copy an image again that was copied before, and does not
 * copy the project's own images. If an image cannot be copied, `failed` contains its key and the reason, and the other
 * images are still copied. Throws `project_closed` or `unavailable`.
 */
export async function copyImages(
  { db, userId }: Pick<Caller, 'db' | 'userId'>,
  projectId: string,
  keys: string[],
): Promise<{ images: CopiedImage[]; failed: FailedCopy[] }> {
  const images: CopiedImage[] = [];
  const damaged: string[] = [];
  const copy = async ({ key, path, fileName, width, height, svg, ...source }: SourceImage) => {
    if (source.projectId === projectId) {
      const [url] = await signedUrls([path], VIEW_URL_S);
      images.push({ key, newKey: key, url: url ?? null, width, height });
      return;
    }
    const bytes = svg === null ? await readObject(path, MAX_IMAGE_BYTES) : Buffer.from(svg);
    if (!bytes) return;
    try {
      const image = await storeImage({ projectId, userId, bytes, fileName, idempotency: null, reuse: true });
      images.push({ key, newKey: image.id, url: image.url, width: image.width, height: image.height });
    } catch (error) {
      if (!isHttpError(error) || error.code !== 'invalid_image') throw error;
      damaged.push(key);
    }
  };
  // Copy one image at a time, because each is held in memory.
  for (const source of await findSources(db, keys)) await copy(source);
  const copied = images.map(({ key }) => key);
  const failed = keys
    .filter((key) => !isIn(copied, key))
    .map((key) => ({ key, reason: isIn(damaged, key) ? 'invalid_image' : 'not_available' }) as const);
  return { images, failed };
}
