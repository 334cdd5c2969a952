/**
 * An error that prevents a program from starting. The user sees only its message, so the message must say what to do.
 */
export class StartError extends Error {
  override name = 'StartError';
}
