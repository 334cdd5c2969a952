import { crc32 } from 'node:zlib';
import type { ByteSource } from './byte-source';
import { exifOrientation, orientationExif } from './exif-orientation';

const SIGNATURE_BYTES = 8;
const MAX_EXIF_BYTES = 64 * 1024;
const MAX_CHUNK_BYTES = 2 ** 31 - 1;

/** The maximum data lengths of the chunks to keep. These chunks affect the picture or its animation. */
const keptChunks = new Map([
  ['IHDR', 13],
  ['PLTE', 768],
  ['IDAT', MAX_CHUNK_BYTES],
  ['IEND', 0],
  ['tRNS', 256],
  ['cHRM', 32],
  ['gAMA', 4],
  ['iCCP', MAX_CHUNK_BYTES],
  ['sBIT', 4],
  ['sRGB', 1],
  ['cICP', 4],
  ['mDCV', 24],
  ['cLLI', 8],
  ['bKGD', 6],
  ['pHYs', 9],
  ['acTL', 8],
  ['fcTL', 26],
  ['fdAT', MAX_CHUNK_BYTES],
]);
const isAncillary = (type: string) => /^[a-z][A-Za-z]{3}$/.test(type);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.byteLength + 8);
  framed.writeUInt32BE(data.byteLength, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.byteLength + 4);
  return framed;
}

/**
 * Reads the data of an eXIf chunk. Returns an eXIf chunk with only the orientation, or null if the image is not rotated
 * or mirrored.
 */
async function orientationChunk(source: ByteSource, length: number): Promise<Buffer | null> {
  const exif = await source.take(Math.min(length, MAX_EXIF_BYTES));
  await source.discard(length - exif.byteLength);
  const orientation = exifOrientation(exif);
  return orientation === 1 ? null : chunk('eXIf', orientationExif(orientation));
}

/**
 * Yields a PNG without text, timestamps, private chunks, or data after its end. Of the EXIF data, keeps only the
 * orientation.
 */
export async function* stripPng(source: ByteSource): AsyncGenerator<Buffer> {
  yield* source.pass(SIGNATURE_BYTES);
  for (let type = ''; type !== 'IEND'; ) {
    const head = await source.peek(8);
    const length = head.readUInt32BE(0);
    type = head.toString('latin1', 4);
    if (length > MAX_CHUNK_BYTES) throw new Error('A PNG has a chunk of an invalid length.');
    if (length <= (keptChunks.get(type) ?? -1)) {
      yield* source.pass(8 + length + 4);
    } else if (type === 'eXIf') {
      await source.discard(8);
      const kept = await orientationChunk(source, length);
      await source.discard(4);
      if (kept) yield kept;
    } else if (isAncillary(type)) {
      await source.discard(8 + length + 4);
    } else {
      throw new Error('A PNG has a chunk that no decoder accepts.');
    }
  }
}
