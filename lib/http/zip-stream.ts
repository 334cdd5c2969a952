import { makeZip } from 'client-zip';

/** A file in a ZIP archive. Slashes in its name create folders. A large file can be given as a stream. */
export type ZipEntry = { name: string; bytes: Uint8Array | ReadableStream<Uint8Array>; modified: Date };

async function* reporting(entries: AsyncIterable<ZipEntry>, onError: (error: unknown) => void) {
  try {
    yield* entries;
  } catch (error) {
    onError(error);
    throw error;
  }
}

/**
 * Converts entries to client-zip's format. When the reader cancels, client-zip throws the reason into this generator.
 * The loop then closes `entries` without an error, so `reporting` does not report the reason.
 */
async function* inputsOf(entries: AsyncIterable<ZipEntry>) {
  for await (const { name, bytes, modified } of entries) {
    yield { name, input: bytes, lastModified: modified };
  }
}

/**
 * Streams a ZIP archive without compression, because images and PDFs are already compressed. Reads one file at a time.
 * If `entries` fails, calls `onError` and fails the stream before the archive's central directory is written, so that
 * no program mistakes the result for a complete archive. If the reader cancels, does not call `onError`.
 */
export function zipStream(
  entries: AsyncIterable<ZipEntry>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  return makeZip(inputsOf(reporting(entries, onError)));
}
