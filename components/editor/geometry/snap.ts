import { type Box, boundsOf, type Frame, type Point } from '@/lib/document/bounds';
import type { PageGuide } from '@/lib/document/page-model';

/** Positions to snap to: vertical lines by their x, horizontal lines by their y. */
export type SnapLines = { x: number[]; y: number[] };
/** A line to show where an edge has snapped. */
export type SnapMark = { axis: 'x' | 'y'; at: number };
export type Snapped = { by: Point; marks: SnapMark[] };

/** Returns the lines to snap to: the page's edges, margins, center and guides, and other frames' edges and centers. */
export function snapLines(
  page: { width: number; height: number },
  margin: number,
  others: readonly Frame[],
  guides: readonly PageGuide[] = [],
): SnapLines {
  const lines = (length: number) => [0, margin, length / 2, length - margin, length];
  const boxes = others.map(boundsOf);
  const along = (axis: PageGuide['axis']) =>
    guides.filter((guide) => guide.axis === axis).map(({ at }) => at);
  return {
    x: [
      ...lines(page.width),
      ...along('x'),
      ...boxes.flatMap(({ left, right }) => [left, (left + right) / 2, right]),
    ],
    y: [
      ...lines(page.height),
      ...along('y'),
      ...boxes.flatMap(({ top, bottom }) => [top, (top + bottom) / 2, bottom]),
    ],
  };
}

/**
 * Returns the signed distance from an edge to a line for the closest pair, or null if no pair is within `threshold`.
 */
function nearest(edges: readonly number[], lines: readonly number[], threshold: number): number | null {
  let best: number | null = null;
  for (const edge of edges) {
    for (const line of lines) {
      const way = line - edge;
      if (Math.abs(way) <= threshold && (best === null || Math.abs(way) < Math.abs(best))) best = way;
    }
  }
  return best;
}

function marksAt(axis: SnapMark['axis'], edges: readonly number[], lines: readonly number[]): SnapMark[] {
  const met = edges.filter((edge) => lines.some((line) => Math.abs(line - edge) < 0.005));
  return [...new Set(met)].map((at) => ({ axis, at }));
}

/** Snaps edges on each axis separately. Returns how far to move the edges, and the lines that they then lie on. */
export function snapEdges(
  edges: { x: readonly number[]; y: readonly number[] },
  lines: SnapLines,
  threshold: number,
): Snapped {
  const x = nearest(edges.x, lines.x, threshold);
  const y = nearest(edges.y, lines.y, threshold);
  const moved = (list: readonly number[], by: number) => list.map((edge) => edge + by);
  return {
    by: { x: x ?? 0, y: y ?? 0 },
    marks: [
      ...(x === null ? [] : marksAt('x', moved(edges.x, x), lines.x)),
      ...(y === null ? [] : marksAt('y', moved(edges.y, y), lines.y)),
    ],
  };
}

/** Returns the edges and center of a rectangle, which snap when the rectangle is moved. */
export function edgesOf({ left, top, right, bottom }: Box) {
  return { x: [left, (left + right) / 2, right], y: [top, (top + bottom) / 2, bottom] };
}
