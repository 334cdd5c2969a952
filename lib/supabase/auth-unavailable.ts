import { isAuthError } from '@supabase/supabase-js';

/** Returns whether an error means that the sign-in service is unavailable. Invalid tokens cause other auth errors. */
export function isAuthUnavailable(error: unknown): boolean {
  if (!isAuthError(error)) return false;
  if (error.name === 'AuthRetryableFetchError') return true;
  return error.status !== undefined && (error.status === 429 || error.status >= 500);
}
