/**
 * Bytes that own their memory. A `Buffer` can be a part of a shared block of memory, which cannot be transferred to a
 * thread.
 */
export type Bytes = Uint8Array<ArrayBuffer>;

export function joinBytes(pieces: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
