import type { PageGuide } from '@/lib/document/page-model';
import type { SheetSize } from '@/lib/document/sheets';
import { type SnapLines, snapEdges } from './snap';

/** The position of a guide that does not snap is rounded to this many steps per millimeter. */
const STEPS = 10;

/** Returns the length of the page along the axis on which a guide's position is measured. */
export function lengthAlong(axis: PageGuide['axis'], { width, height }: SheetSize): number {
  return axis === 'x' ? width : height;
}

/**
 * Returns a guide for a pointer position, snapped to the nearest line within the threshold, or null if the position is
 * off the page. `snapping` is null if the guide does not snap.
 */
export function guideAt(
  axis: PageGuide['axis'],
  at: number,
  size: SheetSize,
  snapping: { lines: SnapLines; threshold: number } | null,
): PageGuide | null {
  const length = lengthAlong(axis, size);
  if (at < 0 || at > length) return null;
  const edges = { x: axis === 'x' ? [at] : [], y: axis === 'y' ? [at] : [] };
  const { by, marks } = snapping
    ? snapEdges(edges, snapping.lines, snapping.threshold)
    : { by: { x: 0, y: 0 }, marks: [] };
  const position = marks.length > 0 ? at + by[axis] : Math.round(at * STEPS) / STEPS;
  return { axis, at: Math.min(Math.max(position, 0), length) };
}

/** Moves the guide at `index` by `by` millimeters, but not off the page. */
export function withGuideMoved(
  guides: readonly PageGuide[],
  index: number,
  by: number,
  size: SheetSize,
): PageGuide[] {
  return guides.map((guide, at) =>
    at === index
      ? { ...guide, at: Math.min(Math.max(guide.at + by, 0), lengthAlong(guide.axis, size)) }
      : guide,
  );
}
