import { z } from 'zod';
import { imageKey } from '@/lib/document/page-model';
import {
  type ExportOptions,
  MAX_IMAGE_PIXELS,
  projectDocument,
  type StoredImage,
  storedImage,
} from '@/lib/document/schema';
import { HttpError } from '@/lib/errors/problem';
import type { Bytes } from '@/lib/http/join-bytes';
import { uuid } from '@/lib/http/uuid';
import { adminDb, adminTransfers } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { readingJson } from '@/lib/supabase/json-bytes';
import type { Db } from '@/lib/supabase/request';
import type { ImageLocation } from './parse-body';

/** The complete input of an export except the bytes of images, stored when the export is requested. */
export const snapshot = projectDocument.omit({ version: true }).extend({
  projectName: z.string(),
  images: z.array(storedImage),
});
export type Snapshot = z.output<typeof snapshot>;

const isUuid = (key: string) => uuid.safeParse(key).success;

/** Returns the project's files of the images with these keys (see `imageKey`). Throws `unavailable`. */
export async function findImages(projectId: string, keys: string[]): Promise<StoredImage[]> {
  if (keys.length === 0) return [];
  const ids = keys.filter(isUuid);
  const paths = keys.filter((key) => !isUuid(key));
  return dataOf(
    await adminDb().rpc('project_image_files', { p_project: projectId, p_ids: ids, p_paths: paths }),
  );
}

/** Returns the name of a project that this user can see. Throws `not_found`. */
export async function projectName(db: Db, projectId: string): Promise<string> {
  const [project] = dataOf(await db.from('projects').select('name').eq('id', projectId).limit(1));
  if (!project) throw new HttpError('not_found');
  return project.name;
}

/**
 * Throws an `invalid_request` that names the page and element of each image to print that is not in the project or has
 * too many pixels.
 */
export function requireImages(
  { cover, images }: Pick<Snapshot, 'cover' | 'images'>,
  pageLocations: ImageLocation[],
  { includecover }: Pick<ExportOptions, 'includecover'>,
): void {
  const known = new Map(images.map((image) => [image.key, image]));
  const problem = (key: string) => {
    const image = known.get(key);
    if (!image) return 'the project has no such image';
    const { width, height } = image;
    return width * height > MAX_IMAGE_PIXELS
      ? `the image has too many pixels to print (${width} × ${height})`
      : null;
  };
  const coverKey = includecover ? imageKey(cover) : null;
  const locations = coverKey
    ? [{ key: coverKey, path: 'cover', name: 'The cover' }, ...pageLocations]
    : pageLocations;
  const errors = locations.flatMap(({ key, path, name }) => {
    const words = problem(key);
    return words ? [{ path, message: `${name}: ${words}` }] : [];
  });
  if (errors[0]) {
    throw new HttpError('invalid_request', `${errors[0].message}.`, { errors: errors.slice(0, 20) });
  }
}

/**
 * Returns the row with the stored input of an export, as unparsed JSON in UTF-8 (see `parseSnapshot`). Throws
 * `unavailable`.
 */
export function snapshotRows(jobId: string): Promise<Bytes> {
  return readingJson((through) =>
    adminTransfers({ through }).from('export_jobs').select('snapshot').eq('id', jobId).limit(1),
  );
}

/** Parses the row of `snapshotRows`: the input of an export, as stored when the export was requested. */
export function parseSnapshot(rows: Bytes): Snapshot {
  const [row] = JSON.parse(new TextDecoder().decode(rows));
  return snapshot.parse(row?.snapshot);
}
