import { isAuthError } from '@supabase/supabase-js';

/** Whether the sign-in service could not be asked. A token that is merely wrong also comes back as an error. */
export function isAuthAway(error: unknown): boolean {
  if (!isAuthError(error)) return false;
  if (error.name === 'AuthRetryableFetchError') return true;
  return error.status !== undefined && (error.status === 429 || error.status >= 500);
}
