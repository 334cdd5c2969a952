/** Reads a stream in pieces of a requested size. All functions except `arrived` throw if the stream ends too early. */
export type ByteSource = {
  /** Returns the next `count` bytes. Holds them in memory, so `count` must be small. */
  take: (count: number) => Promise<Buffer>;
  /** Returns the next `count` bytes without consuming them. */
  peek: (count: number) => Promise<Buffer>;
  /** Yields the next `count` bytes as they arrive. */
  pass: (count: number) => AsyncGenerator<Buffer>;
  /** Discards the next `count` bytes. */
  discard: (count: number) => Promise<void>;
  /**
   * Waits for at least `least` bytes and returns all that have arrived, without consuming them. Returns null if the
   * stream ends with fewer bytes.
   */
  arrived: (least: number) => Promise<Buffer | null>;
};

function truncated(): Error {
  return new Error('The image file ends too early.');
}

/** Returns a source that reads the bytes in `head` and then those from `reader`. */
export function byteSource(head: Uint8Array, reader: ReadableStreamDefaultReader<Uint8Array>): ByteSource {
  let ready: Buffer = Buffer.from(head);

  async function arrived(least: number): Promise<Buffer | null> {
    const pieces = [ready];
    let size = ready.byteLength;
    while (size < least) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      size += value.byteLength;
    }
    if (pieces.length > 1) ready = Buffer.concat(pieces, size);
    return size < least ? null : ready;
  }
  async function peek(count: number): Promise<Buffer> {
    const bytes = await arrived(count);
    if (!bytes) throw truncated();
    return bytes.subarray(0, count);
  }
  async function take(count: number): Promise<Buffer> {
    const bytes = await peek(count);
    ready = ready.subarray(count);
    return bytes;
  }
  async function* pass(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      const bytes = await arrived(1);
      if (!bytes) throw truncated();
      const piece = bytes.subarray(0, left);
      ready = bytes.subarray(piece.byteLength);
      left -= piece.byteLength;
      yield piece;
    }
  }
  async function discard(count: number): Promise<void> {
    for await (const _ of pass(count));
  }
  return { take, peek, pass, discard, arrived };
}
