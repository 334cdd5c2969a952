/**
 * The zoom: `width` fits the page to the reader's width, `page` fits the whole page into the reader, and a number is
 * the scale, where 1 is the page's own size.
 */
export type ReaderZoom = 'width' | 'page' | number;

/** The size of a page at 100%, in CSS pixels. */
export type PageSize = { width: number; height: number };

const STEPS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
/** CSS pixels per point, the unit of PDF. 72 points are 96 CSS pixels. */
export const PX_PER_POINT = 96 / 72;
/** The space around a page, in CSS pixels. */
export const PAGE_GAP_PX = 12;

const MAX_SCALE = 4;
/**
 * Maximum height of an element in CSS pixels. Browsers cut off elements that are taller than 17.8 million pixels
 * (Firefox) or 33.5 million pixels (Chromium).
 */
const MAX_ELEMENT_HEIGHT = 16_000_000;

/**
 * Returns the largest scale, at most `MAX_SCALE`, at which all pages fit into one element. `height` is their total
 * height at 100%.
 */
export function largestScale(height: number): number {
  return Math.min(MAX_SCALE, MAX_ELEMENT_HEIGHT / height);
}

/** Returns the factor by which a page is scaled, at most `max`. */
export function scaleOf(zoom: ReaderZoom, page: PageSize, view: PageSize, max = MAX_SCALE): number {
  if (typeof zoom === 'number') return Math.min(zoom, max);
  const wide = (view.width - 2 * PAGE_GAP_PX) / page.width;
  const scale = zoom === 'width' ? wide : Math.min(wide, (view.height - 2 * PAGE_GAP_PX) / page.height);
  return Math.min(Math.max(scale, 0.1), max);
}

/**
 * For `direction` 1, returns the next larger zoom step, but at most `max`. For -1, returns the next smaller step. If
 * there is no smaller step, returns the smallest step, or `scale` if `scale` is below the smallest step.
 */
export function zoomStep(scale: number, direction: 1 | -1, max = MAX_SCALE): number {
  return direction > 0
    ? Math.min(STEPS.find((step) => step > scale + 0.01) ?? MAX_SCALE, max)
    : (STEPS.findLast((step) => step < scale - 0.01) ?? Math.min(scale, 0.25));
}

const MAX_CANVAS_PIXELS = 16 * 1024 * 1024;

/** Returns the number of canvas pixels per CSS pixel, reduced for large pages to limit the size of the canvas. */
export function pixelRatio({ width, height }: PageSize, ratio: number): number {
  return Math.min(ratio, 2, Math.sqrt(MAX_CANVAS_PIXELS / (width * height)));
}
