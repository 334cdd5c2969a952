import { ApiError } from '@/lib/http/client';

/** What somebody else did to the open document, so that it cannot be saved. */
export type Closed = 'archived' | 'deleted';

/** Returns whether the server answered that there is no such document. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Returns why a save was refused, if the document was archived or deleted elsewhere, otherwise null. */
export function closedBy(error: unknown): Closed | null {
  if (isMissing(error)) return 'deleted';
  return error instanceof ApiError && error.code === 'document_archived' ? 'archived' : null;
}
