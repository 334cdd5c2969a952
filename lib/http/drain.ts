import { HttpError } from '@/lib/errors/problem';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MS = 30_000;

/** The minimum pace of a body: `bytes` within every `ms` milliseconds spent waiting for data. */
export type Pace = { bytes: number; ms: number };
const slowest: Pace = { bytes: 64 * 1024, ms: 20_000 };

/**
 * Yields the chunks of a body as they arrive. If the consumer stops early, the stream is not canceled, so that `drain`
 * can read the rest.
 */
export async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

const late = Symbol('late');

async function unlessLate<T>(work: Promise<T>, ms: number): Promise<T | typeof late> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<typeof late>((resolve) => {
    timer = setTimeout(resolve, ms, late);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Like `chunksOf`, but throws `too_slow` when a body stalls or trickles, so that a slow sender cannot hold memory or
 * an upload slot. Only the time spent waiting for the sender counts, not the time the consumer takes.
 */
export async function* steadyChunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  pace: Pace = slowest,
): AsyncGenerator<Uint8Array> {
  let waitedMs = 0;
  let bytes = 0;
  for (;;) {
    const next = reader.read();
    const startedAt = performance.now();
    const read = await unlessLate(next, pace.ms - waitedMs);
    if (read === late) {
      next.catch(() => undefined);
      // Without this header, the server would keep the connection and the received data until its own timeout.
      throw new HttpError('too_slow', 'The body stopped arriving. Send it again.', {
        headers: { connection: 'close' },
      });
    }
    if (read.done) return;
    waitedMs += performance.now() - startedAt;
    bytes += read.value.byteLength;
    if (bytes >= pace.bytes) {
      bytes = 0;
      waitedMs = 0;
    }
    yield read.value;
  }
}

/**
 * Reads and discards the rest of a rejected request's body, at most 64 MB and for at most 30 seconds. If the rest were
 * left unread, a client that is still sending would not read the response, and the next request on the same connection
 * would have to wait for the rest of this body. Never throws.
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
    // The connection is closed; there is nothing left to read.
  } finally {
    clearTimeout(timer);
  }
}
