import { HttpError } from './problem';

/**
 * Returns a `state_conflict` for an operation that `currentStatus` does not allow. The response body includes
 * `currentStatus`.
 */
export function statusConflict(detail: string, currentStatus: string): HttpError {
  return new HttpError('state_conflict', detail, { members: { currentStatus } });
}
