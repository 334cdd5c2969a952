import type { Log } from '@/lib/log/logger';
import { isHttpError } from './problem';

const MAX_CAUSES = 5;

/** What an error says, and after it what each of its causes says. */
function wordsOf(error: unknown): string {
  const words: string[] = [];
  let each = error;
  while (each !== undefined && each !== null && words.length <= MAX_CAUSES) {
    const { message, cause } =
      typeof each === 'object' ? (each as Partial<Error>) : { message: String(each) };
    if (message) words.push(message.replace(/\.$/, ''));
    each = cause;
  }
  return words.join(': ');
}

/**
 * Logs that `what` could not be done. That something we need is away or busy is expected, so it is a warning in words;
 * anything else is a mistake of ours: an error, with its stack.
 */
export function noteFailure(log: Log, error: unknown, what: string): void {
  const isExpected = isHttpError(error) && error.code !== 'internal';
  if (isExpected) log.warn({ code: error.code, reason: wordsOf(error) }, what);
  else log.error({ error }, what);
}
