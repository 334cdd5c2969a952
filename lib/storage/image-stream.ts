import { imageEnding } from './image-file';
import { streamObject, unavailable } from './objects';
import { stripMetadata } from './strip-metadata/strip-metadata';

const HEAD_BYTES = 12;
const mimeTypes = { '.png': 'image/png', '.jpg': 'image/jpeg', '.webp': 'image/webp' } as const;

/** The bytes of an image without its metadata, with the type that its first bytes show. */
export type ImageStream = {
  mimeType: (typeof mimeTypes)[keyof typeof mimeTypes];
  ending: keyof typeof mimeTypes;
  body: ReadableStream<Uint8Array>;
};

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Reads a stream until there are enough bytes to tell the type of an image. Throws `unavailable` if the stream fails. */
async function readHead(reader: Reader): Promise<Buffer> {
  let head = Buffer.alloc(0);
  try {
    while (head.byteLength < HEAD_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      head = Buffer.concat([head, value]);
    }
  } catch (cause) {
    throw unavailable(cause);
  }
  return head;
}

/**
 * Returns an image in storage as a stream without its metadata, or null if the file is missing or is not an image. Does
 * not trust the content type in storage, which the workflow service chose: as HTML, the file could run scripts in our
 * pages' origin. The stream fails when `signal` aborts. Throws `unavailable`.
 */
export async function imageStream(path: string, signal: AbortSignal): Promise<ImageStream | null> {
  const stream = await streamObject(path, signal);
  if (!stream) return null;
  const reader = stream.getReader();
  const head = await readHead(reader);
  const ending = imageEnding(head);
  if (ending === '') {
    await reader.cancel();
    return null;
  }
  return { mimeType: mimeTypes[ending], ending, body: stripMetadata(ending, head, reader) };
}
