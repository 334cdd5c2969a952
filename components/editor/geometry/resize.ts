import { type Box, boundsOf, type Frame, middleOf, type Point } from '@/lib/document/bounds';
import { boundsOfAll, rotateVector } from './frames';

/** The resize handles with their directions: -1 is left or up, 1 is right or down. */
export const handles = {
  'top left': { x: -1, y: -1 },
  top: { x: 0, y: -1 },
  'top right': { x: 1, y: -1 },
  right: { x: 1, y: 0 },
  'bottom right': { x: 1, y: 1 },
  bottom: { x: 0, y: 1 },
  'bottom left': { x: -1, y: 1 },
  left: { x: -1, y: 0 },
} as const satisfies Record<string, Point>;
export type Handle = keyof typeof handles;

/** Minimum side length, in millimeters, of a frame that is resized by hand. A smaller frame would be hard to grab. */
export const MIN_DRAGGED = 1;

type ResizeOptions = {
  keepAspect: boolean;
  /** Keeps the center fixed instead of the opposite side. */
  fromMiddle: boolean;
};

/** Returns a frame's size after a handle is pulled. `pull` is in the frame's own, rotated coordinates. */
function pulledSides(frame: Frame, side: Point, pull: Point, { keepAspect, fromMiddle }: ResizeOptions) {
  const times = fromMiddle ? 2 : 1;
  // A frame that is already smaller than the minimum may keep its size.
  const [minW, minH] = [Math.min(MIN_DRAGGED, frame.w), Math.min(MIN_DRAGGED, frame.h)];
  const w = side.x === 0 ? frame.w : Math.max(frame.w + side.x * pull.x * times, minW);
  const h = side.y === 0 ? frame.h : Math.max(frame.h + side.y * pull.y * times, minH);
  if (!keepAspect) return { w, h };
  const factor = side.x === 0 ? h / frame.h : side.y === 0 ? w / frame.w : Math.max(w / frame.w, h / frame.h);
  const scale = Math.max(factor, minW / frame.w, minH / frame.h);
  return { w: frame.w * scale, h: frame.h * scale };
}

/**
 * Resizes a frame, which may be rotated, by moving a handle along a vector in page coordinates (mm). The opposite side
 * or corner stays in place. With `fromMiddle`, the center stays in place instead.
 */
export function resized(frame: Frame, handle: Handle, by: Point, options: ResizeOptions): Frame {
  const side = handles[handle];
  const pull = rotateVector(by, -frame.rotation);
  const { w, h } = pulledSides(frame, side, pull, options);
  const middle = middleOf(frame);
  const shift = options.fromMiddle
    ? { x: 0, y: 0 }
    : rotateVector({ x: (side.x * (w - frame.w)) / 2, y: (side.y * (h - frame.h)) / 2 }, frame.rotation);
  return { ...frame, w, h, x: middle.x + shift.x - w / 2, y: middle.y + shift.y - h / 2 };
}

const asFrame = ({ left, top, right, bottom }: Box): Frame => ({
  x: left,
  y: top,
  w: Math.max(right - left, 0.01),
  h: Math.max(bottom - top, 0.01),
  rotation: 0,
});

/**
 * Resizes several frames together with their common bounds. If one of them is rotated, all keep their aspect ratio,
 * because a rotated frame cannot be stretched along a page axis.
 */
export function resizedAll<Item extends Frame>(
  frames: readonly Item[],
  handle: Handle,
  by: Point,
  options: ResizeOptions,
): Item[] {
  const bounds = boundsOfAll(frames);
  if (!bounds) return [];
  const from = asFrame(bounds);
  const keepAspect = options.keepAspect || frames.some(({ rotation }) => rotation !== 0);
  const to = resized(from, handle, by, { ...options, keepAspect });
  const [scaleX, scaleY] = [to.w / from.w, to.h / from.h];
  return frames.map((frame) => {
    const middle = middleOf(frame);
    const [w, h] = [frame.w * scaleX, frame.h * scaleY];
    const x = to.x + (middle.x - from.x) * scaleX - w / 2;
    const y = to.y + (middle.y - from.y) * scaleY - h / 2;
    return { ...frame, x, y, w, h };
  });
}

/** Returns the page coordinates of the edges that a handle moves: null for fixed edges and for rotated frames. */
export function movingEdges(frame: Frame, handle: Handle): { x: number | null; y: number | null } {
  if (frame.rotation !== 0) return { x: null, y: null };
  const box = boundsOf(frame);
  const { x, y } = handles[handle];
  return {
    x: x === 0 ? null : x < 0 ? box.left : box.right,
    y: y === 0 ? null : y < 0 ? box.top : box.bottom,
  };
}
