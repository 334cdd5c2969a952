import { HttpError } from '@/lib/errors/problem';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';

/**
 * Revokes an access token immediately. Unless `accountId` is null, the token must belong to that account. Keeps a
 * service's account, so that everything that the service created still has an author. The account cannot be used
 * without a token. Throws `not_found`.
 */
export async function revokeToken(id: string, accountId: string | null): Promise<void> {
  const found = dataOf(
    await adminDb().rpc('revoke_access_token', { p_id: id, p_account: accountId ?? undefined }),
  );
  if (!found) throw new HttpError('not_found');
}
