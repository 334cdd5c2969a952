import { imageEnding } from './image-file';
import { streamObject, unavailable } from './objects';
import { stripMetadata } from './strip-metadata/strip-metadata';

const HEAD_BYTES = 12;
const mimeTypes = { '.png': 'image/png', '.jpg': 'image/jpeg', '.webp': 'image/webp' } as const;

/** The bytes of an image without its metadata, and its type as detected from its first bytes. */
export type ImageStream = {
  mimeType: (typeof mimeTypes)[keyof typeof mimeTypes];
  ending: keyof typeof mimeTypes;
  body: ReadableStream<Uint8Array>;
};

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Reads enough bytes of a stream to detect the type of an image. Throws `unavailable` if the stream fails. */
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
 * Returns an image in storage as a stream without its metadata, or null if the file is missing or is not a PNG, JPEG or
 * WebP. Ignores the stored content type, because the workflow service chooses it for its uploads, and a file served as
 * HTML could run scripts in Atelier's origin. The stream fails when `signal` aborts. Throws `unavailable`.
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
