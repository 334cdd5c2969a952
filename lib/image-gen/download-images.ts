import { z } from 'zod';
import { missingRecord } from '@/lib/errors/missing-record';
import { csvOf } from '@/lib/http/csv';
import { uuid } from '@/lib/http/uuid';
import { fileNamePart, uniqueNames } from '@/lib/http/zip-names';
import type { ZipEntry } from '@/lib/http/zip-stream';
import { imageEnding } from '@/lib/storage/image-file';
import { readObject } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import type { Database } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import { MAX_OUTPUT_BYTES } from './check-outputs';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), id: uuid }),
  z.object({ outcome: z.literal('not_found') }),
]);

type Scope = { projectId: string; userId: string };
type ImageRow = Database['public']['Functions']['image_download']['Returns'][number];

/**
 * Prepares a download and returns its id. Throws `not_found` if all of the images are deleted or not in the project.
 */
export async function createImageDownload({ projectId, userId }: Scope, imageIds: string[]): Promise<string> {
  const args = { p_user: userId, p_project: projectId, p_ids: imageIds };
  const result = await callRpc('create_image_download', args, outcome);
  return accepted(result, () => missingRecord(['imageIds'], 'image of the project')).id;
}

/** Returns the images of a download, or none if this user has no such download. Throws `unavailable`. */
export async function readImageDownload(id: string, { projectId, userId }: Scope): Promise<ImageRow[]> {
  const args = { p_id: id, p_user: userId, p_project: projectId };
  return dataOf(await adminDb().rpc('image_download', args));
}

const seedOf = (meta: ImageRow['meta']): string | number => {
  const seed = z.object({ seed: z.union([z.number(), z.string()]) }).safeParse(meta).data?.seed;
  return seed ?? '';
};

/**
 * Yields each image of a download, and `images.csv` with the prompts and seeds. All files are in a folder named after
 * the project. An image whose file no longer exists appears only in `images.csv`. Throws `unavailable` if storage
 * fails.
 */
export async function* imageFilesOf(
  projectName: string,
  rows: ImageRow[],
): AsyncGenerator<ZipEntry, void, undefined> {
  const folder = fileNamePart(projectName, 80) || 'Images';
  const nameOf = uniqueNames();
  const list: (string | number)[][] = [
    ['number', 'file', 'prompt', 'seed', 'width', 'height', 'who', 'when'],
  ];
  for (const row of rows) {
    const number = `${row.ordinal}.${row.number}`;
    const bytes = await readObject(row.path, MAX_OUTPUT_BYTES);
    const name = bytes ? nameOf(`${number} ${fileNamePart(row.prompt, 60)}`.trim(), imageEnding(bytes)) : '';
    const when = new Date(row.created_at);
    list.push([
      number,
      name,
      row.prompt,
      seedOf(row.meta),
      row.width,
      row.height,
      row.email,
      when.toISOString(),
    ]);
    if (bytes) yield { name: `${folder}/${name}`, bytes, modified: when };
  }
  yield { name: `${folder}/images.csv`, bytes: Buffer.from(csvOf(list)), modified: new Date() };
}
