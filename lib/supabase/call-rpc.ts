import type { z } from 'zod';
import { HttpError, isProblemCode, type ProblemCode } from '@/lib/errors/problem';
import { adminDb } from './admin';
import type { Database } from './database.types';
import { databaseError } from './database-error';

type Functions = Database['public']['Functions'];
type Outcome = { outcome: string };

/**
 * Calls a database function, by default with the privileged client, and returns its parsed result. Throws
 * `unavailable`, `internal`, `project_closed`, `document_archived` or `unauthenticated`.
 */
export async function callRpc<Name extends keyof Functions, Result extends z.ZodType>(
  name: Name,
  args: Functions[Name]['Args'],
  result: Result,
  db = adminDb(),
): Promise<z.output<Result>> {
  const { data, error, status } = await db.rpc(name, args);
  if (error) throw databaseError(error, status);
  return result.parse(data);
}

function assertAccepted<Result extends Outcome>(
  result: Result,
  missing: () => HttpError,
): asserts result is Exclude<Result, { outcome: ProblemCode }> {
  if (result.outcome === 'not_found') throw missing();
  if (isProblemCode(result.outcome)) throw new HttpError(result.outcome);
}

/**
 * Returns the result. Throws an HttpError if the outcome is an error code. `missing` returns the error for `not_found`,
 * by default one that names no field.
 */
export function accepted<Result extends Outcome>(
  result: Result,
  missing = () => new HttpError('not_found'),
): Exclude<Result, { outcome: ProblemCode }> {
  assertAccepted(result, missing);
  return result;
}
