import { setImmediate } from 'node:timers/promises';
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
export const DERIVATION = 3;

const QUALITY = 82;
/** Of either side of what is made; JPEG itself ends at 65,535. */
const MAX_SIDE = 16_000;
/** So many bytes are summed up at once, in a few milliseconds; others have their turn between. */
const SUMMED_AT_ONCE = 4 * 1024 * 1024;

sharp.cache(false);
const deflated = promisify(deflate);

async function opaque(image: Sharp): Promise<DerivedImage> {
  const { data, info } = await image
    .removeAlpha()
    .jpeg({ quality: QUALITY })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, jpeg: data, mask: null };
}

/**
 * The mean colour of what can be seen of RGBA pixels; black where nothing can. Summed up here, since a resize rounds
 * colours and alpha to 8 bits on its way: a thin line on a large image would become black or vanish.
 */
async function meanOfVisible(rgba: Uint8Array): Promise<{ r: number; g: number; b: number }> {
  const sum = { r: 0, g: 0, b: 0, alpha: 0 };
  const add = (part: Uint8Array) => {
    let [r, g, b, alpha] = [0, 0, 0, 0];
    for (let at = 0; at < part.length; at += 4) {
      const seen = part[at + 3] ?? 0;
      if (seen === 0) continue;
      r += (part[at] ?? 0) * seen;
      g += (part[at + 1] ?? 0) * seen;
      b += (part[at + 2] ?? 0) * seen;
      alpha += seen;
    }
    sum.r += r;
    sum.g += g;
    sum.b += b;
    sum.alpha += alpha;
  };
  for (let from = 0; from < rgba.length; from += SUMMED_AT_ONCE) {
    if (from > 0) await setImmediate();
    add(rgba.subarray(from, from + SUMMED_AT_ONCE));
  }
  const mean = (total: number) => Math.round(total / Math.max(1, sum.alpha));
  return { r: mean(sum.r), g: mean(sum.g), b: mean(sum.b) };
}

/** Takes the transparency out; what cannot be seen at all gets the mean of what can, or its edges would show. */
async function transparent(image: Sharp): Promise<DerivedImage> {
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const pixels = (rgba: Uint8Array) =>
    sharp(rgba, { raw: { width, height, channels: 4 }, limitInputPixels: MAX_IMAGE_PIXELS });
  const mask = await pixels(data).extractChannel('alpha').raw().toBuffer();
  // Wholly there or not at all: laid over the mean, what can be seen stays as it is.
  const cutOut = await pixels(data).linear([1, 1, 1, 255], [0, 0, 0, 0]).raw().toBuffer();
  const jpeg = await pixels(cutOut)
    .flatten({ background: await meanOfVisible(data) })
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
