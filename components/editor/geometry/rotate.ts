import { type Frame, middleOf, type Point } from '@/lib/document/bounds';
import { boundsOfAll, rotateVector, turned } from './frames';

/** Rotation step while Shift is held, in degrees. */
export const ROTATION_STEP = 15;

function angleOf(from: Point, to: Point): number {
  return (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
}

/**
 * Rotates frames around their common center by the angle between the pointer's old and new positions. With `inSteps`, a
 * single frame snaps to a multiple of `ROTATION_STEP`; several frames rotate by a multiple of it.
 */
export function rotatedBy<Item extends Frame>(
  frames: readonly Item[],
  from: Point,
  to: Point,
  inSteps: boolean,
): Item[] {
  const bounds = boundsOfAll(frames);
  const [first] = frames;
  if (!bounds || !first) return [];
  const middle =
    frames.length === 1
      ? middleOf(first)
      : { x: (bounds.left + bounds.right) / 2, y: (bounds.top + bounds.bottom) / 2 };
  const free = angleOf(middle, to) - angleOf(middle, from);
  const start = frames.length === 1 ? first.rotation : 0;
  const angle = inSteps ? Math.round((start + free) / ROTATION_STEP) * ROTATION_STEP - start : free;
  return frames.map((frame) => {
    const own = middleOf(frame);
    const arm = rotateVector({ x: own.x - middle.x, y: own.y - middle.y }, angle);
    return {
      ...frame,
      x: middle.x + arm.x - frame.w / 2,
      y: middle.y + arm.y - frame.h / 2,
      rotation: turned(frame.rotation + angle),
    };
  });
}
