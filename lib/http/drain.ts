const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MS = 30_000;

/** The chunks of a body as they come. Ending early leaves the rest unread instead of cancelling it: see `drain`. */
export async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/**
 * Reads what a refused request still sends and throws it away, 64 MB and half a minute at most. A client that sends on
 * against a closed door never reads the answer, and the next request on its connection would wait behind the rest.
 * Never throws.
 */
export async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), MAX_MS);
  try {
    let size = 0;
    for await (const chunk of chunksOf(reader)) {
      size += chunk.byteLength;
      if (size > MAX_BYTES) return await reader.cancel();
    }
  } catch {
    // The connection is cut: there is nobody left to wait for.
  } finally {
    clearTimeout(timer);
  }
}
