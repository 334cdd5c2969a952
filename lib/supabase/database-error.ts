import type { PostgrestError } from '@supabase/supabase-js';
import { HttpError } from '@/lib/http/problem';

/**
 * What a failed query means to the client: nothing that a caller sends may fail in the database, so it is either away
 * (`unavailable`, worth another try), or we made a mistake (`internal`), or the caller's account is gone (`unauthenticated`).
 */
export function databaseError(error: PostgrestError, status: number): HttpError {
  // A row that names its author as deleted: their token outlives the account.
  if (error.code === '23503' && /is not present in table "users"/.test(error.details ?? '')) {
    return new HttpError('unauthenticated', 'Your account no longer exists.', { cause: error });
  }
  // 429 and what lies above 500 come from before the database; 40 is a race that it resolved against us.
  const away = status === 0 || status === 429 || status > 500 || /^(08|40|53|57)/.test(error.code ?? '');
  return away
    ? new HttpError('unavailable', 'The database is away.', { retryAfter: 5, cause: error })
    : new HttpError('internal', undefined, { cause: error });
}

/** The data of an answer of supabase-js. Throws `unavailable` or `internal`. */
export function dataOf<T>(answer: { data: T; error: PostgrestError | null; status: number }): NonNullable<T> {
  if (answer.error) throw databaseError(answer.error, answer.status);
  if (answer.data === null || answer.data === undefined) {
    throw new HttpError('internal', undefined, { cause: new Error('The database answered nothing.') });
  }
  return answer.data;
}
