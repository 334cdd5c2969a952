import { HttpError } from '@/lib/errors/problem';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { eventKind } from './schema';

/**
 * Returns a callback that was held because it named no run. Such a callback reports no files. Throws `not_found` or
 * `unavailable`.
 */
export async function heldCallback(id: string) {
  const [held] = dataOf(await adminDb().rpc('held_callback', { p_id: id }));
  if (!held) throw new HttpError('not_found');
  return {
    kind: eventKind.parse(held.source),
    subjectId: held.subject_id,
    run: held.run,
    succeeded: held.status !== 'failed',
    error: held.reason ?? undefined,
  };
}
