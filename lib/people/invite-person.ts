import { HttpError } from '@/lib/errors/problem';
import { adminDb } from '@/lib/supabase/admin';
import { createAccountLink } from './account-link';
import { authUnavailable } from './auth-service';
import type { AccountLink, InviteBody } from './schema';

/**
 * Creates an account and an invitation with which the account's owner chooses a password. Throws `already_exists` or
 * `unavailable`. If only the invitation fails, the account is listed as invited, and the invitation can be sent again.
 */
export async function invitePerson({ email, isAdmin, copy }: InviteBody): Promise<AccountLink> {
  const { data, error } = await adminDb().auth.admin.createUser({
    email,
    // Using the link confirms the address.
    email_confirm: false,
    app_metadata: isAdmin ? { role: 'admin' } : {},
  });
  if (error?.code === 'email_exists') {
    throw new HttpError('already_exists', `There is already an account with the email address ${email}.`);
  }
  if (error) throw authUnavailable(error);
  return createAccountLink(data.user.id, copy);
}
