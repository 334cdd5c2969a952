import { z } from 'zod';
import { projectDocument, type StoredImage, storedImage } from '@/lib/document/schema';
import { HttpError } from '@/lib/errors/problem';
import type { Bytes } from '@/lib/http/join-bytes';
import { uuid } from '@/lib/http/uuid';
import { adminDb, adminTransfers } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { readingJson } from '@/lib/supabase/json-bytes';
import type { Db } from '@/lib/supabase/request';

/**
 * The input of an export, except its options and the files of images and fonts. It is stored when the export is
 * requested.
 */
export const snapshot = projectDocument.omit({ version: true }).extend({
  projectName: z.string(),
  images: z.array(storedImage),
});
export type Snapshot = z.output<typeof snapshot>;

const isUuid = (key: string) => uuid.safeParse(key).success;

/** Returns the project's image files with these keys (see `imageKey`). Throws `unavailable`. */
export async function findImages(projectId: string, keys: string[]): Promise<StoredImage[]> {
  if (keys.length === 0) return [];
  const ids = keys.filter(isUuid);
  const paths = keys.filter((key) => !isUuid(key));
  return dataOf(
    await adminDb().rpc('project_image_files', { p_project: projectId, p_ids: ids, p_paths: paths }),
  );
}

/**
 * Returns the SVG sources of a project's images, keyed by image path. Leaves out images that have no SVG source, and
 * sources beyond a total of 8 MB. Throws `unavailable`.
 */
export async function findDrawings(
  projectId: string,
  images: readonly StoredImage[],
): Promise<ReadonlyMap<string, string>> {
  if (images.length === 0) return new Map();
  const paths = images.map(({ path }) => path);
  const found = dataOf(
    await adminDb().rpc('project_image_drawings', { p_project: projectId, p_paths: paths }),
  );
  return new Map(found.map(({ path, svg }) => [path, svg]));
}

/** Returns the name of a project that this user can see. Throws `not_found`. */
export async function projectName(db: Db, projectId: string): Promise<string> {
  const [project] = dataOf(await db.from('projects').select('name').eq('id', projectId).limit(1));
  if (!project) throw new HttpError('not_found');
  return project.name;
}

/**
 * Returns a JSON array with the row that contains the stored input of an export, as unparsed UTF-8 (see
 * `parseSnapshot`). Throws `unavailable`.
 */
export function snapshotRows(jobId: string): Promise<Bytes> {
  return readingJson((through) =>
    adminTransfers({ through }).from('export_jobs').select('snapshot').eq('id', jobId).limit(1),
  );
}

/** Parses the result of `snapshotRows`. Returns the input of the export, as stored when the export was requested. */
export function parseSnapshot(rows: Bytes): Snapshot {
  const [row] = JSON.parse(new TextDecoder().decode(rows));
  return snapshot.parse(row?.snapshot);
}
