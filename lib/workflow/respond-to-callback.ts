import { HttpError } from '@/lib/errors/problem';
import type { Log } from '@/lib/log/logger';
import type { CallbackResponse } from './callback-schema';
import type { RunKind } from './run-kind';

/** The id and status that a callback reports. `run` is undefined if the callback URL names no run. */
type Callback = { subjectId: string; run: number | undefined; status: string };

/** The database's result for a callback. `status` is missing if no spec or job has the callback's id. */
export type CallbackOutcome = {
  outcome: 'applied' | 'not_found' | NonNullable<CallbackResponse['reason']>;
  status?: CallbackResponse['status'];
  request_id?: string | null;
};

/** Logs the outcome of a callback and returns the response to send. Throws `not_found`. */
export function respondToCallback(
  callback: Callback,
  { outcome, status, request_id }: CallbackOutcome,
  log: Log,
  notes: string[] = [],
): CallbackResponse {
  if (outcome === 'not_found' || status === undefined) throw new HttpError('not_found');
  log.info({ ...callback, outcome, orderedBy: request_id ?? null }, 'callback');
  return outcome === 'applied'
    ? { received: true, applied: true, status, ...(notes.length > 0 ? { notes } : {}) }
    : { received: true, applied: false, status, reason: outcome };
}

/** Returns the arguments for the database functions that apply a progress report. */
export function progressArgs(
  { deadlineS, limitS }: RunKind,
  { subjectId, run }: Pick<Callback, 'subjectId' | 'run'>,
  { progress, note, execution }: { progress?: number; note?: string; execution?: string },
) {
  return {
    p_id: subjectId,
    p_run: run,
    p_progress: progress,
    p_note: note,
    p_execution: execution,
    p_deadline_s: deadlineS,
    p_limit_s: limitS,
  };
}
