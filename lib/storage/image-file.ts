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

// Two at a time leave the rest of the machine to the requests.
sharp.concurrency(2);
sharp.cache(false);

/**
 * Decodes a whole PNG, JPEG or WebP, so that what only begins like an image is found out, and makes its thumbnail.
 * Throws `invalid_image` in words.
 */
export async function checkImage(bytes: Uint8Array): Promise<CheckedImage> {
  try {
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
