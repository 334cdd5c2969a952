import { z } from 'zod';
import { HttpError } from '@/lib/http/problem';
import { uuid } from '@/lib/http/uuid';
import { adminDb, adminTransfers } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import type { Db } from '@/lib/supabase/request';
import { imageKey, imagesOf } from './document/page-model';
import { getDocument } from './queries';
import {
  type ExportOptions,
  MAX_IMAGE_PIXELS,
  type ProjectDocument,
  placeInDocument,
  projectDocument,
} from './schema';

/** The complete input of an export except the bytes of images, stored when the export is requested. */
export const snapshot = projectDocument.omit({ version: true }).extend({
  projectName: z.string(),
  images: z.array(z.object({ key: z.string(), path: z.string(), width: z.int(), height: z.int() })),
});
export type Snapshot = z.output<typeof snapshot>;

const isUuid = (key: string) => uuid.safeParse(key).success;

/** The files of those images by `imageKey` that belong to the project, each once. Throws `unavailable`. */
export async function findImages(projectId: string, keys: string[]): Promise<Snapshot['images']> {
  if (keys.length === 0) return [];
  const ids = keys.filter(isUuid);
  const paths = keys.filter((key) => !isUuid(key));
  return dataOf(
    await adminDb().rpc('project_image_files', { p_project: projectId, p_ids: ids, p_paths: paths }),
  );
}

/**
 * A project's document with the files of its images, as this user can see it; fields of `given` replace the stored ones.
 * Images that the project does not have are missing in `images`. Throws `not_found`, `unavailable`.
 */
export async function takeSnapshot(
  db: Db,
  projectId: string,
  given: Partial<Omit<ProjectDocument, 'version'>> = {},
): Promise<Snapshot> {
  const [document, projects] = await Promise.all([
    getDocument(db, projectId),
    db.from('projects').select('name').eq('id', projectId).limit(1).then(dataOf),
  ]);
  const [project] = projects;
  if (!project) throw new HttpError('not_found');
  const { version: _, ...stored } = document;
  const { format = stored.format, orientation = stored.orientation, cover = stored.cover } = given;
  const printed = { format, orientation, cover, pages: given.pages ?? stored.pages };
  const keys = [imageKey(printed.cover), ...imagesOf(printed.pages).map(({ key }) => key)];
  const asked = [...new Set(keys.filter((key) => key !== null))];
  return { ...printed, projectName: project.name, images: await findImages(projectId, asked) };
}

/**
 * Throws `invalid_request` that names the page and element of each image to print that the project does not have or that
 * has too many pixels.
 */
export function requireImages(
  { cover, pages, images }: Snapshot,
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
  const places = imagesOf(pages).map(({ key, pageIndex, elementIndex }) => {
    const path = ['pages', pageIndex, 'elements', elementIndex];
    return { key, path: path.join('.'), name: () => placeInDocument({ pages }, path) };
  });
  if (coverKey) places.unshift({ key: coverKey, path: 'cover', name: () => 'The cover' });
  const errors = places.flatMap(({ key, path, name }) => {
    const words = problem(key);
    return words ? [{ path, message: `${name()}: ${words}` }] : [];
  });
  if (errors[0]) {
    throw new HttpError('invalid_request', `${errors[0].message}.`, { errors: errors.slice(0, 20) });
  }
}

/** The stored input of an export. Throws `unavailable`. */
export async function readSnapshot(jobId: string): Promise<Snapshot> {
  const [row] = dataOf(
    await adminTransfers().from('export_jobs').select('snapshot').eq('id', jobId).limit(1),
  );
  return snapshot.parse(row?.snapshot);
}
