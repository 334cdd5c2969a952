import { HttpError } from '@/lib/errors/problem';
import type { Log } from '@/lib/log/logger';
import { removeObjects } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { databaseError } from '@/lib/supabase/database-error';

/**
 * Deletes a spec with its document, attempts and open work, then its file. The sweep removes a file that storage cannot
 * delete now. Throws `not_found`.
 */
export async function deleteSpec(specUploadId: string, log: Log): Promise<void> {
  const { data: path, error, status } = await adminDb().rpc('delete_spec', { p_id: specUploadId });
  if (error) throw databaseError(error, status);
  if (path === null) throw new HttpError('not_found');
  await removeObjects([path]).catch((cause: unknown) =>
    log.warn({ error: cause, path }, 'file left for the sweep'),
  );
}
