/**
 * Bytes with their own memory. A `Buffer` can share a larger one's memory, and then cannot be transferred to a thread.
 */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Joins byte arrays into one. */
export function joinBytes(pieces: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
