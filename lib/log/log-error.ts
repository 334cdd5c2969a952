import { isHttpError } from '@/lib/errors/problem';
import type { Log } from '@/lib/log/logger';

const MAX_CAUSES = 5;

/** Returns the joined messages of an error and its causes. */
function messageChain(error: unknown): string {
  const parts: string[] = [];
  let each = error;
  while (each !== undefined && each !== null && parts.length <= MAX_CAUSES) {
    const { message, cause } =
      typeof each === 'object' ? (each as Partial<Error>) : { message: String(each) };
    if (message) parts.push(message.replace(/\.$/, ''));
    each = cause;
  }
  return parts.join(': ');
}

/**
 * Logs that `what` failed. An HttpError with a code other than `internal` is expected, for example when a dependency is
 * unavailable. It is logged as a warning without a stack. Anything else counts as a bug and is logged as an error with
 * its stack.
 */
export function logError(log: Log, error: unknown, what: string): void {
  const isExpected = isHttpError(error) && error.code !== 'internal';
  if (isExpected) log.warn({ code: error.code, reason: messageChain(error) }, what);
  else log.error({ error }, what);
}
