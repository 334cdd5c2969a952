import type { PostgrestError } from '@supabase/supabase-js';
import { HttpError } from '@/lib/errors/problem';

/** Maps the messages that the trigger `require_open_project` raises to messages for the client. */
const closedProject: Record<string, string> = {
  project_archived: 'The project is archived. An owner can unarchive it.',
  project_deleted: 'The project was deleted.',
};

/**
 * Maps a failed query to an error for the client. Requests are validated before they reach the database, so a query
 * fails only for one of these reasons:
 * - `project_closed`: the project is archived or was just deleted.
 * - `document_archived`: the document is archived.
 * - `unauthenticated`: the caller's account was deleted.
 * - `unavailable`: the database is unavailable. A retry can succeed.
 * - `internal`: a bug.
 */
export function databaseError(error: PostgrestError, status: number): HttpError {
  // A foreign key refers to an author whose account was deleted but whose token is still valid.
  if (error.code === '23503' && /is not present in table "users"/.test(error.details ?? '')) {
    return new HttpError('unauthenticated', 'Your account no longer exists.', { cause: error });
  }
  if (error.code === 'PT409' && error.message === 'document_archived') {
    return new HttpError('document_archived', 'The document is archived. Unarchive it first.', {
      cause: error,
    });
  }
  const closed = error.code === 'PT409' ? closedProject[error.message] : undefined;
  if (closed) return new HttpError('project_closed', closed, { cause: error });
  // 429 and statuses above 500 mean that PostgREST, or a proxy in front of it, is overloaded or cannot reach the
  // database. SQLSTATE class 40 means a rollback because of a concurrent transaction.
  const isUnavailable =
    status === 0 || status === 429 || status > 500 || /^(08|40|53|57)/.test(error.code ?? '');
  return isUnavailable
    ? new HttpError('unavailable', 'The database is unavailable.', { retryAfter: 5, cause: error })
    : new HttpError('internal', undefined, { cause: error });
}

/**
 * Returns the data of a supabase-js response. Throws the error from `databaseError` for a failed query, and `internal`
 * if there is no data.
 */
export function dataOf<T>(response: {
  data: T;
  error: PostgrestError | null;
  status: number;
}): NonNullable<T> {
  if (response.error) throw databaseError(response.error, response.status);
  if (response.data === null || response.data === undefined) {
    throw new HttpError('internal', undefined, { cause: new Error('The database returned no data.') });
  }
  return response.data;
}
