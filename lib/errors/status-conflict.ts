import { HttpError } from './problem';

/** The `state_conflict` of an operation that the current status does not allow; the client gets the status too. */
export function statusConflict(detail: string, currentStatus: string): HttpError {
  return new HttpError('state_conflict', detail, { members: { currentStatus } });
}
