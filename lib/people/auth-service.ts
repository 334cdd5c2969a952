import type { AuthError } from '@supabase/supabase-js';
import { HttpError } from '@/lib/errors/problem';
import { adminDb } from '@/lib/supabase/admin';

/** Returns an `unavailable` error for a failed call to the sign-in service. */
export function authUnavailable(cause: AuthError): HttpError {
  return new HttpError('unavailable', 'The sign-in service is unavailable.', { retryAfter: 5, cause });
}

/**
 * Sets the password of an account, and confirms its email address. The sign-in service then signs out all sessions of
 * the account. Throws `unavailable`, or `invalid_request` at `field` if the service requires a stronger password.
 */
export async function setPassword(userId: string, password: string, field: string): Promise<void> {
  const { error } = await adminDb().auth.admin.updateUserById(userId, { password, email_confirm: true });
  if (!error) return;
  if (error.code !== 'weak_password') throw authUnavailable(error);
  throw new HttpError('invalid_request', 'The password is too weak. Choose a longer one.', {
    errors: [{ path: field, message: 'is too weak' }],
    cause: error,
  });
}
