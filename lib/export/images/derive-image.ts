import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { MAX_IMAGE_PIXELS } from '@/lib/export/schema';

/** An image as it is printed: a JPEG of three components in sRGB, and what of it can be seen through. */
export type DerivedImage = {
  /** Pixels. */
  width: number;
  height: number;
  jpeg: Uint8Array;
  /** One byte a pixel, row by row, 255 for opaque; deflated. Null where the whole image is opaque. */
  mask: Uint8Array | null;
};
/** Why an image cannot be printed. */
export type ImageRefusal = 'too_many_pixels' | 'unreadable';

/** Counts changes of what is made here: what an earlier version has made is not used then. */
export const DERIVATION = 2;

const QUALITY = 82;
/** Of either side of what is made; JPEG itself ends at 65,535. */
const MAX_SIDE = 16_000;

sharp.cache(false);
const deflated = promisify(deflate);

async function opaque(image: Sharp): Promise<DerivedImage> {
  const { data, info } = await image
    .removeAlpha()
    .jpeg({ quality: QUALITY })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, jpeg: data, mask: null };
}

/** Takes the transparency out; what cannot be seen at all gets the mean of what can, or its edges would show. */
async function transparent(image: Sharp): Promise<DerivedImage> {
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const pixels = (rgba: Uint8Array) =>
    sharp(rgba, { raw: { width, height, channels: 4 }, limitInputPixels: MAX_IMAGE_PIXELS });
  const mask = await pixels(data).extractChannel('alpha').raw().toBuffer();
  const [r, g, b] = await pixels(data).resize(1, 1, { fit: 'fill' }).removeAlpha().raw().toBuffer();
  // Wholly there or not at all: laid over the mean, what can be seen stays as it is.
  const cutOut = await pixels(data).linear([1, 1, 1, 255], [0, 0, 0, 0]).raw().toBuffer();
  const jpeg = await pixels(cutOut)
    .flatten({ background: { r, g, b } })
    // Colours at full resolution: halved, they would bleed over the edges of the mask.
    .jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' })
    .toBuffer();
  return { width, height, jpeg, mask: await deflated(mask) };
}

/**
 * Makes the image that is printed of a file: upright, in sRGB (CMYK and wider spaces are converted), at most `width`
 * pixels wide and never larger than it is. Whatever the file says of itself, no more than 64 million pixels are decoded.
 */
export async function deriveImage(file: Uint8Array, width: number): Promise<DerivedImage | ImageRefusal> {
  try {
    const image = sharp(file, { limitInputPixels: MAX_IMAGE_PIXELS });
    const { hasAlpha } = await image.metadata();
    const isOpaque = !hasAlpha || (await image.clone().stats()).isOpaque;
    const size = { width: Math.min(MAX_SIDE, Math.max(1, Math.ceil(width))), height: MAX_SIDE };
    const sized = image
      .autoOrient()
      .resize({ ...size, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb');
    return isOpaque ? await opaque(sized) : await transparent(sized);
  } catch (error) {
    return error instanceof Error && /pixel limit/i.test(error.message) ? 'too_many_pixels' : 'unreadable';
  }
}
