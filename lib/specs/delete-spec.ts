import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { logError } from '@/lib/log/log-error';
import type { Log } from '@/lib/log/logger';
import { removeObjects } from '@/lib/storage/objects';
import { callRpc } from '@/lib/supabase/call-rpc';

/**
 * Deletes a spec with its document, attempts and open work, then its file. If storage cannot delete the file now, the
 * sweep removes it later. Throws `not_found` or `unavailable`.
 */
export async function deleteSpec(specUploadId: string, log: Log): Promise<void> {
  const path = await callRpc('delete_spec', { p_id: specUploadId }, z.string().nullable());
  if (path === null) throw new HttpError('not_found');
  await removeObjects([path]).catch((cause: unknown) =>
    logError(log.child({ path }), cause, 'file left for the sweep'),
  );
}
