import { HttpError, type ProblemCode } from '@/lib/errors/problem';

/** An error as a plain object that can be sent between threads. All its values can be cloned. */
export type SentError = {
  message: string;
  stack?: string;
  /** Only present for an HttpError. */
  problem?: { code: ProblemCode; extra: Omit<HttpError['extra'], 'cause'> };
  cause?: string;
};

const wordsOf = (value: unknown) => (value instanceof Error ? (value.stack ?? value.message) : String(value));

/** Converts an error so that it can be sent to another thread. */
export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack } = error;
  const cause = error.cause === undefined ? undefined : wordsOf(error.cause);
  if (!(error instanceof HttpError)) return { message, stack, cause };
  const { cause: _, ...extra } = error.extra;
  return { message, stack, cause, problem: { code: error.code, extra } };
}

/** Restores an error that another thread sent. */
export function receivedError({ message, stack, problem, cause }: SentError): Error {
  if (problem) return new HttpError(problem.code, message, { ...problem.extra, cause });
  const error = new Error(message, { cause });
  if (stack) error.stack = stack;
  return error;
}
