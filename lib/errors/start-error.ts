import { isDiskFull, messageOf } from './error-parts.ts';

/**
 * An error that prevents a program from starting. The user sees only its message, so the message must say what to do.
 */
export class StartError extends Error {
  override name = 'StartError';
}

/** Returns the message for the user when any error has ended a start. `what` is the program that did not start. */
export function startMessage(error: unknown, what = 'Atelier'): string {
  if (isDiskFull(error)) {
    return 'There is not enough disk space for the data folder or the build of Atelier. Free some space, then start again.';
  }
  return error instanceof StartError ? error.message : `${what} failed to start: ${messageOf(error)}.`;
}
