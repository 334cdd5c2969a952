import { ApiError } from '@/lib/http/client';

/** Why the open document cannot be saved. `deleted` can also mean that the user lost access to it. */
export type Closed = 'archived' | 'deleted';

/** Returns whether the server responded that the document does not exist or is not visible to the user. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Returns `archived` or `deleted` if that is why a save failed, or null for any other error. */
export function closedBy(error: unknown): Closed | null {
  if (isMissing(error)) return 'deleted';
  return error instanceof ApiError && error.code === 'document_archived' ? 'archived' : null;
}
