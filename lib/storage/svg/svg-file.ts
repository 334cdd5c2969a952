import sharp from 'sharp';
import { HttpError, isHttpError } from '@/lib/errors/problem';
import { fairQueue } from '../fair-queue';
import { type CleanSvg, cleanSvg } from './clean-svg';
import { SvgRefusal } from './svg-refusal';

const MAX_SECONDS = 20;

/** A clean SVG and a PNG of it with the same size. */
export type DrawnSvg = CleanSvg & { png: Buffer };

function cleanOrRefuse(bytes: Uint8Array): CleanSvg {
  try {
    return cleanSvg(bytes);
  } catch (error) {
    if (error instanceof SvgRefusal) throw new HttpError('invalid_image', error.message);
    throw error;
  }
}

/**
 * Cleans an SVG file and draws it as a PNG, one at a time, in the queue of uploads. Throws `invalid_image` with the
 * reason.
 */
export async function drawSvg(bytes: Uint8Array, owner: string): Promise<DrawnSvg> {
  const clean = cleanOrRefuse(bytes);
  try {
    const png = await fairQueue('image-uploads').run(owner, () =>
      sharp(Buffer.from(clean.svg)).png().timeout({ seconds: MAX_SECONDS }).toBuffer(),
    );
    return { ...clean, png };
  } catch (cause) {
    if (isHttpError(cause)) throw cause;
    throw new HttpError('invalid_image', 'The SVG could not be drawn.', { cause });
  }
}
