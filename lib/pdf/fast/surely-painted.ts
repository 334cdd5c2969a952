import type { imageUses } from '@/lib/document/image-uses';
import { placeImage, visibleFrame } from '@/lib/document/place-image';
import type { SheetPlan } from '@/lib/document/sheets';

type Use = ReturnType<typeof imageUses>[number];
type Box = { left: number; top: number; width: number; height: number };

/**
 * A box of at least this width and height is certain to cover a pixel. Browsers round boxes to whole pixels of about
 * 0.26 mm.
 */
const SURE_MM = 1;

function overlap(a: Box, b: Box): Box {
  const left = Math.max(a.left, b.left);
  const top = Math.max(a.top, b.top);
  return {
    left,
    top,
    width: Math.min(a.left + a.width, b.left + b.width) - left,
    height: Math.min(a.top + a.height, b.top + b.height) - top,
  };
}

const isLarge = ({ width, height }: Box, scale: number) =>
  width * scale >= SURE_MM && height * scale >= SURE_MM;

/** Returns the part of an image that is visible within its frame, in the frame's unit. */
function shownPart({ frame, fit, crop }: Use, image: { width: number; height: number }): Box {
  const window = visibleFrame(frame, image, fit, crop);
  const placed = placeImage(window, image, fit, crop);
  const inFrame = { ...placed, left: placed.left + window.left, top: placed.top + window.top };
  return overlap(inFrame, window);
}

/**
 * Returns true if so much of an image is on its page that a browser is certain to paint it. If the result is false, the
 * PDF may lack the image. Returns false for tiles, for images in table cells, for images of which only a sliver or
 * nothing is on the page, and for rotated images that may extend beyond the edges of the page.
 */
export function isSurelyPainted(
  use: Use,
  image: { width: number; height: number },
  plan: Pick<SheetPlan, 'pages'>,
): boolean {
  const { element, scale, isTile } = use;
  if (isTile) return false;
  const shown = shownPart(use, image);
  if (!isLarge(shown, scale)) return false;
  if (!element) return true;
  const { x, y, w, h, rotation } = element;
  const page = { left: 0, top: 0, ...plan.pages.size };
  if (rotation === 0) {
    return isLarge(overlap({ ...shown, left: shown.left + x, top: shown.top + y }, page), scale);
  }
  const radius = Math.hypot(w, h) / 2;
  const [middleX, middleY] = [x + w / 2, y + h / 2];
  return (
    middleX - radius >= 0 &&
    middleY - radius >= 0 &&
    middleX + radius <= page.width &&
    middleY + radius <= page.height
  );
}
