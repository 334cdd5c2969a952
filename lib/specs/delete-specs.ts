import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { logError } from '@/lib/log/log-error';
import type { Log } from '@/lib/log/logger';
import { removeObjects } from '@/lib/storage/objects';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { DeletedMany } from './schema';

/**
 * Deletes specs with their documents, attempts and open work, then their files. If storage cannot delete the files now,
 * the sweep removes them later.
 */
export async function deleteMany(specUploadIds: string[], log: Log): Promise<DeletedMany> {
  const ids = [...new Set(specUploadIds)];
  const paths = await callRpc('delete_specs', { p_ids: ids }, z.array(z.string()));
  await removeObjects(paths).catch((cause: unknown) =>
    logError(log.child({ count: paths.length }), cause, 'files left for the sweep'),
  );
  return { deleted: paths.length, missing: ids.length - paths.length };
}

/** Deletes one spec as `deleteMany` does. Throws `not_found` or `unavailable`. */
export async function deleteSpec(specUploadId: string, log: Log): Promise<void> {
  const { deleted } = await deleteMany([specUploadId], log);
  if (deleted === 0) throw new HttpError('not_found');
}
