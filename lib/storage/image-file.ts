import sharp from 'sharp';
import { HttpError } from '@/lib/http/problem';

/** Decoding more pixels than this is refused, whatever the file says of itself. */
const MAX_PIXELS = 64_000_000;
const THUMB_PX = 512;

const mimeTypes = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;

export type CheckedImage = {
  mimeType: (typeof mimeTypes)[keyof typeof mimeTypes];
  /** Pixels, upright. */
  width: number;
  height: number;
  /** WebP, at most 512 pixels on its longer side. */
  thumbnail: Buffer;
};

sharp.cache(false);

// A decoded image is large, however small its file: one at a time, whoever asks.
let busy: Promise<unknown> = Promise.resolve();

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = busy.then(work, work);
  busy = turn.catch(() => undefined);
  return turn;
}

/** Whether the first bytes are those of a PNG, JPEG or WebP: no other decoder ever sees a file from outside. */
function looksLikeImage(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return (
    head.startsWith('\x89PNG\r\n\x1a\n') ||
    head.startsWith('\xff\xd8\xff') ||
    (head.startsWith('RIFF') && head.slice(8) === 'WEBP')
  );
}

/**
 * Decodes a whole PNG, JPEG or WebP, so that what only begins like an image is found out, and makes its thumbnail.
 * Throws `invalid_image` in words.
 */
export function checkImage(bytes: Uint8Array): Promise<CheckedImage> {
  return inTurn(() => decode(bytes));
}

async function decode(bytes: Uint8Array): Promise<CheckedImage> {
  try {
    if (!looksLikeImage(bytes)) {
      throw new HttpError('invalid_image', 'The file is not a PNG, JPEG or WebP image.');
    }
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'truncated' });
    const { format, autoOrient } = await image.metadata();
    if (format !== 'png' && format !== 'jpeg' && format !== 'webp') {
      throw new HttpError('invalid_image', 'The file is not a PNG, JPEG or WebP image.');
    }
    const thumbnail = await image
      .autoOrient()
      .resize({ width: THUMB_PX, height: THUMB_PX, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer();
    return { mimeType: mimeTypes[format], width: autoOrient.width, height: autoOrient.height, thumbnail };
  } catch (error) {
    if (error instanceof HttpError) throw error;
    const tooMany = error instanceof Error && /pixel limit/i.test(error.message);
    throw new HttpError(
      'invalid_image',
      tooMany ? 'The image has too many pixels.' : 'The file is not a readable PNG, JPEG or WebP image.',
      { cause: error },
    );
  }
}
