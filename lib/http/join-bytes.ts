/** Bytes in memory of their own: unlike a `Buffer`, which may be part of a larger one, they can be moved to a thread. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Joins pieces of bytes into one. */
export function joinBytes(pieces: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
