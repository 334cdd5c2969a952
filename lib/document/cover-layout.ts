import { type CoverSettings, imageKey } from './page-model';

type Size = { width: number; height: number };
/** A rectangle on a sheet, in millimeters. */
type Place = Size & { left: number; top: number };

/** Fraction of a cover's height that an image above the text takes up. */
const TOP_PART = 0.6;
/** Fraction of a cover's width that an image to the left of the text takes up. */
const LEFT_PART = 0.5;

/** Returns the rectangle of a cover's image, which extends into the bleed at the edges of the sheet. */
export function coverImagePlace(
  { layout }: Pick<CoverSettings, 'layout'>,
  { width, height }: Size,
  bleed: number,
): Place {
  return {
    left: -bleed,
    top: -bleed,
    width: layout === 'left' ? width * LEFT_PART + bleed : width + 2 * bleed,
    height: layout === 'top' ? height * TOP_PART + bleed : height + 2 * bleed,
  };
}

/**
 * Returns the rectangle of a cover's text, including the margins: the part of the sheet beside or below the image, or
 * the whole sheet if the image is behind the text or there is none.
 */
export function coverTextPlace(cover: CoverSettings, { width, height }: Size): Place {
  const layout = imageKey(cover) === null ? 'full' : cover.layout;
  const left = layout === 'left' ? width * LEFT_PART : 0;
  const top = layout === 'top' ? height * TOP_PART : 0;
  return { left, top, width: width - left, height: height - top };
}
