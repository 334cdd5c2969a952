/** A scale factor, where 1 is the actual size, or `fit` for the whole page. */
export type Zoom = 'fit' | number;

export const MIN_ZOOM = 0.5;
export const MAX_ZOOM = 4;
export const zoomSteps = [0.5, 0.75, 1, 1.5, 2, 3, 4] as const;
/** CSS pixels per millimeter at actual size (96 per inch). */
export const PX_PER_MM = 96 / 25.4;

/**
 * Multiplies a zoom by a factor, within the limits. A zoom that is already outside the limits, such as that of a fitted
 * page, can only change toward them.
 */
export function scaledZoom(zoom: number, factor: number): number {
  const bounded = Math.min(Math.max(zoom * factor, MIN_ZOOM), MAX_ZOOM);
  return factor > 1 ? Math.max(zoom, bounded) : Math.min(zoom, bounded);
}

/** Returns the next zoom step in a direction, or the same zoom if there is none. */
export function steppedZoom(zoom: number, direction: 1 | -1): number {
  const steps = direction > 0 ? zoomSteps : zoomSteps.toReversed();
  const further = steps.find((step) => (direction > 0 ? step > zoom + 0.001 : step < zoom - 0.001));
  return further ?? zoom;
}

/** Returns the zoom that fits a page (mm) into an area (px) with a gap (px) on each side. Can be below `MIN_ZOOM`. */
export function fittingZoom(
  page: { width: number; height: number },
  room: { width: number; height: number },
  gap: number,
): number {
  const across = (room.width - 2 * gap) / (page.width * PX_PER_MM);
  const down = (room.height - 2 * gap) / (page.height * PX_PER_MM);
  return Math.min(Math.max(Math.min(across, down), 0.1), MAX_ZOOM);
}
