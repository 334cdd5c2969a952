import type { Point } from '@/lib/document/bounds';

/** A gesture of one or two pointers. It moves the point `from` by `by`, and scales around that point. */
export type Pinch = { from: Point; by: Point; scale: number };

/**
 * Minimum distance between two pointers in pixels. Closer pointers are treated as this far apart, so that the scale
 * stays finite.
 */
const MIN_SPREAD = 1;

function middleOf(points: readonly Point[]): Point {
  const sum = points.reduce((all, { x, y }) => ({ x: all.x + x, y: all.y + y }), { x: 0, y: 0 });
  const count = Math.max(points.length, 1);
  return { x: sum.x / count, y: sum.y / count };
}

function spreadOf([a, b]: readonly Point[]): number {
  return a && b ? Math.max(Math.hypot(a.x - b.x, a.y - b.y), MIN_SPREAD) : MIN_SPREAD;
}

/** Returns the movement and the scale of one or two pointers that were at `before` and are at `now`. */
export function pinchOf(before: readonly Point[], now: readonly Point[]): Pinch {
  const [from, to] = [middleOf(before), middleOf(now)];
  return { from, by: { x: to.x - from.x, y: to.y - from.y }, scale: spreadOf(now) / spreadOf(before) };
}
