import { HttpError } from './problem';

/** Returns a `state_conflict` for an operation that the current status does not allow. The response includes it. */
export function statusConflict(detail: string, currentStatus: string): HttpError {
  return new HttpError('state_conflict', detail, { members: { currentStatus } });
}
