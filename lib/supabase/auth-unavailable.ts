import { isAuthError } from '@supabase/supabase-js';

/** Whether the error means that the sign-in service is unavailable. An invalid token is an auth error too. */
export function isAuthUnavailable(error: unknown): boolean {
  if (!isAuthError(error)) return false;
  if (error.name === 'AuthRetryableFetchError') return true;
  return error.status !== undefined && (error.status === 429 || error.status >= 500);
}
