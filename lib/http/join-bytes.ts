/**
 * Bytes that own their memory, so that it can be transferred between threads. A small `Buffer` is often a view of
 * Node's buffer pool, which cannot be transferred.
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
