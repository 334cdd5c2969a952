import type { ByteSource } from './byte-source';

const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;
const FRAME_BYTES = 16;

const pictureTypes = ['VP8 ', 'VP8L', 'ALPH'];
/** Chunks to keep unchanged outside of animation frames. In a frame, only `pictureTypes` are kept. */
const fileTypes = [...pictureTypes, 'ICCP', 'ANIM'];

function broken(): Error {
  return new Error('A WebP has a chunk of an invalid length.');
}

async function* zeros(source: ByteSource, count: number): AsyncGenerator<Buffer> {
  for await (const piece of source.pass(count)) yield Buffer.alloc(piece.byteLength);
}

/** Yields `size` bytes of chunks. If a chunk does not belong to the picture, overwrites its data with zeros. */
async function* chunks(source: ByteSource, size: number, isFrame: boolean): AsyncGenerator<Buffer> {
  const keptTypes = isFrame ? pictureTypes : fileTypes;
  let left = size;
  while (left >= 8) {
    const head = await source.take(8);
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    const padding = length % 2;
    left -= 8 + length + padding;
    if (left < 0) throw broken();
    yield head;
    if (keptTypes.includes(type)) {
      yield* source.pass(length);
    } else if (!isFrame && type === 'ANMF') {
      if (length < FRAME_BYTES) throw broken();
      yield* source.pass(FRAME_BYTES);
      yield* chunks(source, length - FRAME_BYTES, true);
    } else if (!isFrame && type === 'VP8X') {
      if (length < 10) throw broken();
      const data = Buffer.from(await source.take(10));
      data.writeUInt8(data.readUInt8(0) & ~(EXIF_FLAG | XMP_FLAG), 0);
      yield data;
      yield* zeros(source, length - data.byteLength);
    } else {
      yield* zeros(source, length);
    }
    yield* zeros(source, padding);
  }
  yield* zeros(source, left);
}

/**
 * Yields a WebP with zeros in its EXIF, XMP and unknown chunks, and without data after its end. The chunks keep their
 * sizes, because the file starts with its total size. The orientation is removed too, because the EXIF flag precedes
 * the EXIF chunk and must be written before the orientation is known. Chromium and Firefox ignore the orientation of a
 * WebP anyway.
 */
export async function* stripWebp(source: ByteSource): AsyncGenerator<Buffer> {
  const head = await source.take(12);
  const size = head.readUInt32LE(4);
  if (size < 4) throw broken();
  yield head;
  yield* chunks(source, size - 4, false);
}
