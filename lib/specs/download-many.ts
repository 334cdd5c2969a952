import { z } from 'zod';
import { missingRecord } from '@/lib/errors/missing-record';
import { HttpError } from '@/lib/errors/problem';
import { uuid } from '@/lib/http/uuid';
import { fileNamePart, uniqueNames } from '@/lib/http/zip-names';
import type { ZipEntry } from '@/lib/http/zip-stream';
import { spoolObject } from '@/lib/storage/objects';
import { readSpooled } from '@/lib/storage/spool';
import { adminDb } from '@/lib/supabase/admin';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import type { Database } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import { MAX_DOWNLOAD_BYTES } from './schema';
import { MAX_SPEC_BYTES } from './size-limit';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), id: uuid }),
  z.object({ outcome: z.literal('not_found') }),
  z.object({ outcome: z.literal('too_many_bytes') }),
]);

// Makes `property` nullable, because the generated types never mark a function's result columns as nullable.
type Returned = Database['public']['Functions']['spec_download']['Returns'][number];
type SpecRow = Omit<Returned, 'property'> & { property: string | null };

/**
 * Prepares a download of specs and returns its id. Throws `not_found` if none of the specs exists, `invalid_request` if
 * their total size is too large, or `unavailable`.
 */
export async function createSpecDownload(userId: string, specUploadIds: string[]): Promise<string> {
  const args = { p_user: userId, p_ids: [...new Set(specUploadIds)], p_max_bytes: MAX_DOWNLOAD_BYTES };
  const result = accepted(await callRpc('create_spec_download', args, outcome), () =>
    missingRecord(['specUploadIds'], 'spec'),
  );
  if (result.outcome === 'too_many_bytes') {
    const message = 'are larger than 2 GB in total';
    throw new HttpError('invalid_request', `The files ${message}. Choose fewer specs.`, {
      errors: [{ path: 'specUploadIds', message }],
    });
  }
  return result.id;
}

/** Returns the specs of a download, or an empty array if the user has no such download. Throws `unavailable`. */
export async function readSpecDownload(id: string, userId: string): Promise<SpecRow[]> {
  return dataOf(await adminDb().rpc('spec_download', { p_id: id, p_user: userId }));
}

const folderOf = ({ brand, area, property }: SpecRow) =>
  [brand, area, ...(property ? [property] : [])].map((name) => fileNamePart(name, 80) || 'Unnamed').join('/');

/**
 * Yields the files of a download, in folders named after brand, area and property. A file that no longer exists is
 * listed in `missing files.txt`. Throws `unavailable` when storage fails or `signal` aborts.
 */
export async function* specFilesOf(
  rows: SpecRow[],
  signal: AbortSignal,
): AsyncGenerator<ZipEntry, void, undefined> {
  const nameOf = uniqueNames();
  const missing: string[] = [];
  for (const row of rows) {
    const stem = fileNamePart(row.file_name.replace(/\.pdf$/i, ''), 120) || 'Spec';
    const name = nameOf(`${folderOf(row)}/${stem}`, '.pdf');
    const file = await spoolObject(row.path, MAX_SPEC_BYTES, signal);
    if (!file) {
      missing.push(name);
      continue;
    }
    try {
      yield { name, bytes: readSpooled(file), modified: new Date(row.created_at) };
    } finally {
      await file.handle.close();
    }
  }
  if (missing.length === 0) return;
  const text = `These files no longer exist:\r\n${missing.map((name) => `${name}\r\n`).join('')}`;
  yield { name: 'missing files.txt', bytes: Buffer.from(text), modified: new Date() };
}
