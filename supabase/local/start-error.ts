/** A reason not to start that the reader can act on: its message is the whole of what they are shown. */
export class StartError extends Error {
  override name = 'StartError';
}
