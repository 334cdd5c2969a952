import type { ByteSource } from './byte-source';
import { exifOrientation, exifSignature, orientationExif } from './exif-orientation';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COM = 0xfe;

/**
 * Returns the index of the first marker or of a final 0xff byte that may start one. Returns the length of `bytes` if
 * there is neither.
 */
function markerAt(bytes: Buffer): number {
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at)) {
    const next = bytes[at + 1];
    // In image data, a zero byte follows each 0xff byte that is not part of a marker. Restart markers belong to the
    // image data. Repeated 0xff bytes are padding.
    if (next === 0 || (next !== undefined && next >= 0xd0 && next <= 0xd7)) at += 2;
    else if (next === 0xff) at += 1;
    else return at;
  }
  return bytes.byteLength;
}

/** Yields the bytes up to the next marker or the end of the file. */
async function* untilMarker(source: ByteSource): AsyncGenerator<Buffer> {
  for (;;) {
    const bytes = await source.arrived(1);
    if (!bytes) return;
    const at = markerAt(bytes);
    yield* source.pass(at);
    if (at === bytes.byteLength) continue;
    // The marker's second byte may not have arrived yet.
    const marked = await source.arrived(2);
    if (!marked || markerAt(marked) === 0) return;
  }
}

const startsWith = (bytes: Buffer, text: string) => bytes.toString('latin1', 0, text.length) === text;

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.byteLength + 2, 2);
  return Buffer.concat([head, data]);
}

/**
 * Returns the part of an application segment that determines the colors or the pixel density, or null if there is none.
 * Drops thumbnails.
 */
function keptOfApp(marker: number, data: Buffer): Buffer | null {
  if (marker === APP0 && startsWith(data, 'JFIF\0') && data.byteLength >= 14) {
    return segment(marker, Buffer.concat([data.subarray(0, 12), Buffer.alloc(2)]));
  }
  // Keep only APP2 segments with a color profile. Others can contain an index of further pictures in the file.
  if (marker === APP2 && startsWith(data, 'ICC_PROFILE\0')) return segment(marker, data);
  if (marker === APP14 && startsWith(data, 'Adobe')) return segment(marker, data.subarray(0, 12));
  return null;
}

/** Returns whether a marker starts a table, a frame header or a scan header. */
const isCoding = (marker: number) => marker >= 0xc0 && marker <= 0xdf && marker !== SOI;

/**
 * Yields a JPEG without comments, thumbnails, or data after its end. Keeps no metadata except the orientation, the
 * pixel density and color information. Like decoders, accepts a file whose image data ends without an end marker.
 */
export async function* stripJpeg(source: ByteSource): AsyncGenerator<Buffer> {
  yield await source.take(2);
  let hasExif = false;
  let hasScan = false;
  for (;;) {
    // Skip bytes between segments, as decoders do.
    for await (const _ of untilMarker(source));
    if (hasScan && !(await source.arrived(2))) return;
    const marker = (await source.peek(2))[1] ?? 0;
    if (marker === EOI) {
      yield await source.take(2);
      return;
    }
    const length = (await source.peek(4)).readUInt16BE(2);
    if (length < 2) throw new Error('A JPEG has a segment of an invalid length.');
    if (marker >= APP0 && marker <= APP15) {
      const data = (await source.take(2 + length)).subarray(4);
      if (marker === APP1 && data.indexOf(exifSignature) === 0 && !hasExif) {
        hasExif = true;
        const orientation = exifOrientation(data);
        const exif = Buffer.concat([exifSignature, orientationExif(orientation)]);
        if (orientation !== 1) yield segment(APP1, exif);
      }
      const kept = keptOfApp(marker, data);
      if (kept) yield kept;
    } else if (marker === COM) {
      await source.discard(2 + length);
    } else if (isCoding(marker)) {
      yield* source.pass(2 + length);
    } else {
      throw new Error('A JPEG has a marker that no decoder accepts.');
    }
    if (marker === SOS) {
      hasScan = true;
      yield* untilMarker(source);
    }
  }
}
