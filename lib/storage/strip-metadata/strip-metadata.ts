import { byteSource } from './byte-source';
import { stripJpeg } from './jpeg';
import { stripPng } from './png';
import { stripWebp } from './webp';

const strippers = { '.png': stripPng, '.jpg': stripJpeg, '.webp': stripWebp };

/**
 * Returns an image without its metadata, such as the prompt or the position of the camera, as a stream. The picture is
 * not decoded and looks the same. The image consists of `head` and of what the reader returns after it. The stream
 * fails at the first part of the file that is neither known metadata nor part of the picture.
 */
export function stripMetadata(
  ending: keyof typeof strippers,
  head: Uint8Array,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  const pieces = strippers[ending](byteSource(head, reader));
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (!done) return controller.enqueue(value);
      } catch (error) {
        // The original error matters more than an error while canceling.
        await reader.cancel(error).catch(() => undefined);
        throw error;
      }
      controller.close();
      // The file may go on after the end of the image.
      await reader.cancel();
    },
    // Canceling the generator would wait for the bytes that it is reading.
    cancel: (reason) => reader.cancel(reason),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
