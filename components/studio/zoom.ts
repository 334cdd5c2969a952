/** The view of a picture. At `scale` 1, it fits its stage. `x` and `y` are its offset in px from the stage's center. */
export type View = { scale: number; x: number; y: number };
export type ViewSize = { width: number; height: number };
export type ViewPoint = { x: number; y: number };

export const fitted: View = { scale: 1, x: 0, y: 0 };
export const MAX_SCALE = 8;
/** The factor by which one press of a key or button zooms. */
export const ZOOM_STEP = 1.4;
/** The offset, in px, by which an arrow key pressed with Shift moves the picture. */
export const keyPans = new Map([
  ['ArrowLeft', { x: 80, y: 0 }],
  ['ArrowRight', { x: -80, y: 0 }],
  ['ArrowUp', { x: 0, y: 80 }],
  ['ArrowDown', { x: 0, y: -80 }],
]);

/** Returns the size of a picture when scaled to fit its stage. */
function fittedSize(picture: ViewSize, stage: ViewSize): ViewSize {
  const share = Math.min(stage.width / picture.width, stage.height / picture.height);
  return { width: picture.width * share, height: picture.height * share };
}

const between = (low: number, value: number, high: number) => Math.min(high, Math.max(low, value));

/** Limits the offset so that a large picture leaves no gap at the stage's edges and a small one stays centered. */
function kept(view: View, picture: ViewSize, stage: ViewSize): View {
  const { width, height } = fittedSize(picture, stage);
  const right = Math.max(0, (width * view.scale - stage.width) / 2);
  const down = Math.max(0, (height * view.scale - stage.height) / 2);
  return { scale: view.scale, x: between(-right, view.x, right), y: between(-down, view.y, down) };
}

/** Zooms by a factor around `point` (px from the stage's center). The point stays in place if `kept` allows it. */
export function zoomAt(
  view: View,
  factor: number,
  point: ViewPoint,
  picture: ViewSize,
  stage: ViewSize,
): View {
  const scale = between(1, view.scale * factor, MAX_SCALE);
  const by = scale / view.scale;
  const x = point.x - (point.x - view.x) * by;
  const y = point.y - (point.y - view.y) * by;
  return kept({ scale, x, y }, picture, stage);
}

/** Minimum horizontal distance of a swipe in px. */
const SWIPE_PX = 48;

/**
 * Returns 1 if a finger movement is a swipe to the left, which shows the next picture. Returns -1 for a swipe to the
 * right, which shows the previous picture. Returns 0 if the movement is too short or too steep for a swipe.
 */
export function swipeOf(from: ViewPoint, to: ViewPoint): -1 | 0 | 1 {
  const x = to.x - from.x;
  if (Math.abs(x) < SWIPE_PX || Math.abs(x) < 2 * Math.abs(to.y - from.y)) return 0;
  return x < 0 ? 1 : -1;
}

/** Moves the picture by an offset in px. */
export function panBy(view: View, { x, y }: ViewPoint, picture: ViewSize, stage: ViewSize): View {
  return kept({ scale: view.scale, x: view.x + x, y: view.y + y }, picture, stage);
}
