import { ApiError, OfflineError } from '@/lib/http/client';

/** An error whose message is written for the user. */
export class UserFacingError extends Error {
  override name = 'UserFacingError';
}

/** Describes an error to the user in one or two sentences. */
export function describeError(error: unknown): string {
  if (error instanceof OfflineError) return "Can't reach the server.";
  if (error instanceof UserFacingError) return error.message;
  if (error instanceof ApiError) {
    if (error.code === 'unauthenticated') return 'Your session has ended. Sign in again to continue.';
    const fields = error.fieldErrors.map(({ path, message }) => (path ? `${path} ${message}` : message));
    return fields.length > 0 ? `${error.message} (${fields.join('; ')})` : error.message;
  }
  return 'Unexpected response from the server. Reload the page and try again.';
}

/** Returns whether signing in again can resolve the error (HTTP 401). */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
