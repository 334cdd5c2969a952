/** A failed start. The user is shown only its message, so it says what to do. */
export class StartError extends Error {
  override name = 'StartError';
}
