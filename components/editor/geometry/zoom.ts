/** Of the true size; `fit` shows the whole page. */
export type Zoom = 'fit' | number;

export const MIN_ZOOM = 0.5;
export const MAX_ZOOM = 4;
export const zoomSteps = [0.5, 0.75, 1, 1.5, 2, 3, 4] as const;
/** CSS pixels of a millimetre at true size: an inch has 96. */
export const PX_PER_MM = 96 / 25.4;

/** A zoom times a factor, as far as may be. One beyond the bounds, as of a large page that fits, goes only back to them. */
export function scaledZoom(zoom: number, factor: number): number {
  const bounded = Math.min(Math.max(zoom * factor, MIN_ZOOM), MAX_ZOOM);
  return factor > 1 ? Math.max(zoom, bounded) : Math.min(zoom, bounded);
}

/** The next step of the zoom in a direction, from any zoom. */
export function steppedZoom(zoom: number, direction: 1 | -1): number {
  const steps = direction > 0 ? zoomSteps : zoomSteps.toReversed();
  const further = steps.find((step) => (direction > 0 ? step > zoom + 0.001 : step < zoom - 0.001));
  return further ?? zoom;
}

/** The zoom at which a page (mm) fits into a room (px) with a gap (px) on each side. It may be less than `MIN_ZOOM`. */
export function fittingZoom(
  page: { width: number; height: number },
  room: { width: number; height: number },
  gap: number,
): number {
  const across = (room.width - 2 * gap) / (page.width * PX_PER_MM);
  const down = (room.height - 2 * gap) / (page.height * PX_PER_MM);
  return Math.min(Math.max(Math.min(across, down), 0.1), MAX_ZOOM);
}
