import sharp, { type Metadata } from 'sharp';
import { HttpError } from '@/lib/errors/problem';
import { fairQueue } from '@/lib/process/fair-queue';

/** Maximum number of pixels. Larger images are rejected before decoding. */
const MAX_PIXELS = 64_000_000;
/** Maximum size after decoding: width × height × channels × bytes per sample. */
const MAX_DECODED_BYTES = 4 * MAX_PIXELS;
/**
 * Maximum size after decoding for an interlaced PNG, which must be decoded completely before its first row is
 * available.
 */
const MAX_INTERLACED_BYTES = 64_000_000;
const MAX_SECONDS = 20;
const THUMB_PX = 512;

const mimeTypes = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;

export type CheckedImage = {
  mimeType: (typeof mimeTypes)[keyof typeof mimeTypes];
  /** In pixels, after applying the EXIF orientation. */
  width: number;
  /** In pixels, after applying the EXIF orientation. */
  height: number;
  /** A WebP image with at most 512 pixels on the longer side. */
  thumbnail: Buffer;
};

sharp.cache(false);

/** Returns the file extension for bytes that start like a PNG, JPEG or WebP, or '' for any other bytes. */
export function imageEnding(bytes: Uint8Array): '.png' | '.jpg' | '.webp' | '' {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return '.png';
  if (head.startsWith('\xff\xd8\xff')) return '.jpg';
  return head.startsWith('RIFF') && head.slice(8) === 'WEBP' ? '.webp' : '';
}

/**
 * The queue (`line`) and the owner of an image to check. Uploads and workflow outputs have separate queues, so that
 * neither waits for the other. In each queue, the owners (ids of users or projects) take turns.
 */
export type ImageCheckSource = { line: 'uploads' | 'outputs'; owner: string };

/**
 * Decodes a PNG, JPEG or WebP completely and creates a thumbnail. Complete decoding also detects files that only start
 * like an image. Decodes only one image per queue at a time, because a decoded image is large. Throws `invalid_image`
 * with the reason.
 */
export function checkImage(bytes: Uint8Array, { line, owner }: ImageCheckSource): Promise<CheckedImage> {
  return fairQueue(`image-${line}`).run(owner, () => decode(bytes));
}

/**
 * Converts the first frame of a GIF, or an AVIF image, to WebP. Returns all other bytes unchanged. Throws
 * `invalid_image` with the reason.
 */
export async function withSupportedFormat(
  bytes: Uint8Array,
  { line, owner }: ImageCheckSource,
): Promise<Uint8Array> {
  const head = Buffer.from(bytes.subarray(0, 32)).toString('latin1');
  const isConvertible = /^GIF8[79]a/.test(head) || /^.{4}ftyp.*avi[fs]/s.test(head);
  return isConvertible ? fairQueue(`image-${line}`).run(owner, () => toWebp(bytes)) : bytes;
}

async function toWebp(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'truncated' });
    requireModestSize(await image.metadata());
    return await image.autoOrient().webp({ quality: 95 }).timeout({ seconds: MAX_SECONDS }).toBuffer();
  } catch (error) {
    throw refusalOf(error);
  }
}

const invalid = (detail: string, cause?: unknown) => new HttpError('invalid_image', detail, { cause });

const sampleBytes: Record<string, number> = { uchar: 1, char: 1, ushort: 2, short: 2 };

/** Throws `invalid_image` if the image's header shows that decoding would take too much memory. */
function requireModestSize({ width, height, channels, depth, format, isProgressive }: Metadata): void {
  const bytes = width * height * channels * (sampleBytes[depth] ?? 8);
  if (bytes > MAX_DECODED_BYTES) {
    throw invalid('The image is too large when decoded: save it with 8 bits per channel or fewer pixels.');
  }
  if (format === 'png' && isProgressive && bytes > MAX_INTERLACED_BYTES) {
    throw invalid('The image is too large for an interlaced PNG: save it without interlacing.');
  }
}

function refusalOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const message = error instanceof Error ? error.message : '';
  if (/pixel limit/i.test(message)) return invalid('The image has too many pixels.', error);
  if (/^timeout/i.test(message)) return invalid('The image takes too long to decode.', error);
  return invalid('The file is not a readable PNG, JPEG or WebP image.', error);
}

async function decode(bytes: Uint8Array): Promise<CheckedImage> {
  try {
    // sharp can decode more formats, but only its PNG, JPEG and WebP decoders may receive an untrusted file.
    if (imageEnding(bytes) === '') throw invalid('The file is not a PNG, JPEG or WebP image.');
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'truncated' });
    const metadata = await image.metadata();
    const { format, autoOrient } = metadata;
    if (format !== 'png' && format !== 'jpeg' && format !== 'webp') {
      throw invalid('The file is not a PNG, JPEG or WebP image.');
    }
    requireModestSize(metadata);
    const thumbnail = await image
      .autoOrient()
      .resize({ width: THUMB_PX, height: THUMB_PX, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: MAX_SECONDS })
      .toBuffer();
    return { mimeType: mimeTypes[format], width: autoOrient.width, height: autoOrient.height, thumbnail };
  } catch (error) {
    throw refusalOf(error);
  }
}
