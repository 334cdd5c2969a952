import { ApiError, OfflineError } from '@/lib/http/client';

/** An error that says itself, to the person in front of the screen, what went wrong. */
export class SaidError extends Error {
  override name = 'SaidError';
}

/** What went wrong, in one or two sentences for the person in front of the screen. */
export function describeError(error: unknown): string {
  if (error instanceof OfflineError) return 'There is no connection to the server just now.';
  if (error instanceof SaidError) return error.message;
  if (error instanceof ApiError) {
    if (error.code === 'unauthenticated') return 'Your session has ended. Sign in again to go on.';
    const fields = error.fieldErrors.map(({ path, message }) => (path ? `${path} ${message}` : message));
    return fields.length > 0 ? `${error.message} (${fields.join('; ')})` : error.message;
  }
  return 'The server answered in a way that this page does not understand. Reload the page and try again.';
}

/** True for what a reader's own "Sign in" link helps against. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
