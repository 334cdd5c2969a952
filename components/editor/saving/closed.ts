import { ApiError } from '@/lib/http/client';

/** The reason why the open document cannot be saved: someone else archived or deleted it. */
export type Closed = 'archived' | 'deleted';

/** Returns whether the server responded that the document does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Returns `archived` or `deleted` if that is why a save failed, or null for any other error. */
export function closedBy(error: unknown): Closed | null {
  if (isMissing(error)) return 'deleted';
  return error instanceof ApiError && error.code === 'document_archived' ? 'archived' : null;
}
