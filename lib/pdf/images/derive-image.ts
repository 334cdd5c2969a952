import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { MAX_IMAGE_PIXELS } from '@/lib/document/schema';

/** An image for printing: an sRGB JPEG with three components, and its transparency. */
export type DerivedImage = {
  // The size of the JPEG and the mask in pixels.
  width: number;
  height: number;
  jpeg: Uint8Array;
  /** The deflated alpha values, one byte per pixel, row by row. 255 is opaque. Null when the whole image is opaque. */
  mask: Uint8Array | null;
};
/** Why an image cannot be printed. */
export type ImageRefusal = 'too_many_pixels' | 'unreadable';

/** Increase this when images are derived differently, so that cached ones are not reused. */
export const DERIVATION = 3;

const QUALITY = 82;
/** The JPEG quality for archives, which also keep the full color resolution. */
const FINE_QUALITY = 92;
/** Largest side of a derived image in pixels; JPEG itself allows 65,535. */
const MAX_SIDE = 16_000;
/** Number of bytes to sum in one turn of the event loop. Each turn takes a few milliseconds. */
const SUMMED_AT_ONCE = 4 * 1024 * 1024;

sharp.cache(false);
const deflated = promisify(deflate);

async function opaque(image: Sharp, isFine: boolean): Promise<DerivedImage> {
  const { data, info } = await image
    .removeAlpha()
    .jpeg(isFine ? { quality: FINE_QUALITY, chromaSubsampling: '4:4:4' } : { quality: QUALITY })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, jpeg: data, mask: null };
}

/**
 * Returns the mean color of the RGBA pixels, weighted by their alpha, or black when none is visible. Sums the pixels
 * instead of resizing the image to one pixel, because a resize rounds colors and alpha to 8 bits. The mean color of a
 * thin line on a large transparent image would then be black or lost.
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

/** Moves transparency into a mask. Invisible pixels get the mean color of the visible ones, so that no edges appear. */
async function transparent(image: Sharp, isFine: boolean): Promise<DerivedImage> {
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const pixels = (rgba: Uint8Array) =>
    sharp(rgba, { raw: { width, height, channels: 4 }, limitInputPixels: MAX_IMAGE_PIXELS });
  const mask = await pixels(data).extractChannel('alpha').raw().toBuffer();
  // Make alpha either 0 or 255, so that flattening onto the mean color leaves visible pixels unchanged.
  const cutOut = await pixels(data).linear([1, 1, 1, 255], [0, 0, 0, 0]).raw().toBuffer();
  const jpeg = await pixels(cutOut)
    .flatten({ background: await meanOfVisible(data) })
    // Keep the full color resolution, because at half resolution, colors would bleed over the edges of the mask.
    .jpeg({ quality: isFine ? FINE_QUALITY : QUALITY, chromaSubsampling: '4:4:4' })
    .toBuffer();
  return { width, height, jpeg, mask: await deflated(mask) };
}

/**
 * Returns the image in a file, turned upright, converted to sRGB from CMYK or any other color space, and reduced to at
 * most `width` pixels in width. Reading the result fails if the file has more than 64 million pixels.
 */
export function sizedImage(file: Uint8Array, width: number): Sharp {
  const size = { width: Math.min(MAX_SIDE, Math.max(1, Math.ceil(width))), height: MAX_SIDE };
  return sharp(file, { limitInputPixels: MAX_IMAGE_PIXELS })
    .autoOrient()
    .resize({ ...size, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
}

/**
 * Converts an image file to an image for printing that is at most `width` pixels wide. If the image cannot be printed,
 * returns the reason instead. `isFine` selects the quality for archives.
 */
export async function deriveImage(
  file: Uint8Array,
  width: number,
  isFine = false,
): Promise<DerivedImage | ImageRefusal> {
  try {
    const image = sharp(file, { limitInputPixels: MAX_IMAGE_PIXELS });
    const { hasAlpha } = await image.metadata();
    const isOpaque = !hasAlpha || (await image.stats()).isOpaque;
    const sized = sizedImage(file, width);
    return isOpaque ? await opaque(sized, isFine) : await transparent(sized, isFine);
  } catch (error) {
    return error instanceof Error && /pixel limit/i.test(error.message) ? 'too_many_pixels' : 'unreadable';
  }
}
