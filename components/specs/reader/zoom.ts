/** The zoom: as wide as the reader, the whole page, or a factor of the page's own size. */
export type Zoom = 'width' | 'page' | number;

/** The size of a page at 100%, in CSS pixels. */
export type PageSize = { width: number; height: number };

const STEPS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
/** PDF measures in points; 72 points are 96 CSS pixels. */
export const PX_PER_POINT = 96 / 72;
/** The space around a page. */
export const GAP = 12;

/** Returns the factor by which a page is scaled. */
export function scaleOf(zoom: Zoom, page: PageSize, view: PageSize): number {
  if (typeof zoom === 'number') return zoom;
  const wide = (view.width - 2 * GAP) / page.width;
  const scale = zoom === 'width' ? wide : Math.min(wide, (view.height - 2 * GAP) / page.height);
  return Math.min(Math.max(scale, 0.1), 4);
}

/** Returns the next larger or smaller step. */
export function zoomStep(scale: number, direction: 1 | -1): number {
  return direction > 0
    ? (STEPS.find((step) => step > scale + 0.01) ?? 4)
    : (STEPS.findLast((step) => step < scale - 0.01) ?? 0.25);
}

const MAX_CANVAS_PIXELS = 16 * 1024 * 1024;

/** Returns the number of canvas pixels per CSS pixel, reduced for large pages to limit the size of the canvas. */
export function pixelRatio({ width, height }: PageSize, wanted: number): number {
  return Math.min(wanted, 2, Math.sqrt(MAX_CANVAS_PIXELS / (width * height)));
}
