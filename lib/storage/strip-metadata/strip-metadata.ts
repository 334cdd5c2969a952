import { byteSource } from './byte-source';
import { stripJpeg } from './jpeg';
import { stripPng } from './png';
import { stripWebp } from './webp';

const strippers = { '.png': stripPng, '.jpg': stripJpeg, '.webp': stripWebp };

/**
 * Returns an image as a stream, without metadata such as prompts or GPS positions. Keeps metadata that affects how the
 * picture looks. Does not decode the picture. Reads the image from `head` and then from `reader`. The stream fails if
 * the structure of the file is invalid, or if a part has a type that no decoder accepts.
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
        // Ignore an error while canceling, because the original error matters more.
        await reader.cancel(error).catch(() => undefined);
        throw error;
      }
      controller.close();
      // Cancel the reader, because the file may continue after the end of the image.
      await reader.cancel();
    },
    // Cancel only the reader, because canceling the generator would first wait for its pending read.
    cancel: (reason) => reader.cancel(reason),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
