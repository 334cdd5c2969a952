import { HttpError } from '@/lib/errors/problem';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';

/**
 * Revokes an access token of this account, or of anyone with `null`, at once. Throws `not_found`. The account of a
 * service stays, so that what it has made keeps its author; without a token nobody can use it.
 */
export async function revokeToken(id: string, accountId: string | null): Promise<void> {
  const found = dataOf(
    await adminDb().rpc('revoke_access_token', { p_id: id, p_account: accountId ?? undefined }),
  );
  if (!found) throw new HttpError('not_found');
}
