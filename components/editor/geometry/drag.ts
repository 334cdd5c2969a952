import type { Box, Frame, Point } from '@/lib/document/bounds';
import type { PageElement } from '@/lib/document/page-model';
import { boundsOfAll } from './frames';
import { equalGaps, type GapMark, gapSnap } from './gaps';
import { type Handle, handles, movingEdges, resized, resizedAll } from './resize';
import { rotatedBy } from './rotate';
import { edgesOf, type SnapLines, type SnapMark, snapEdges } from './snap';

/** A drag in progress: its kind, and the pointer position (mm) and elements at its start. */
export type Drag = {
  from: Point;
  elements: readonly PageElement[];
} & ({ kind: 'move' } | { kind: 'resize'; handle: Handle } | { kind: 'rotate' });

export type DragKeys = { shift: boolean; alt: boolean };
/**
 * What a drag snaps to; null disables snapping. `boxes` are the bounds of the groups and ungrouped elements that are
 * not dragged. `threshold` is in millimeters.
 */
export type Snapping = { lines: SnapLines; boxes: readonly Box[]; threshold: number } | null;
export type Dragged = { frames: Record<string, Frame>; marks: SnapMark[]; gaps: GapMark[] };

function framesById(frames: readonly (Frame & { id: string })[]): Record<string, Frame> {
  return Object.fromEntries(frames.map(({ id, x, y, w, h, rotation }) => [id, { x, y, w, h, rotation }]));
}

/** Restricts a move to the axis along which it is longer. */
function alongAxis({ x, y }: Point): Point {
  return Math.abs(x) >= Math.abs(y) ? { x, y: 0 } : { x: 0, y };
}

/**
 * Snaps moved bounds on each axis separately. On an axis, they snap either to the nearest line or to the nearest
 * position that makes two gaps equal, whichever is nearer.
 */
function snapMove(bounds: Box, edges: { x: number[]; y: number[] }, snapping: NonNullable<Snapping>) {
  const { lines, boxes, threshold } = snapping;
  const onLines = snapEdges(edges, lines, threshold);
  const axes = (['x', 'y'] as const).map((axis) => {
    const marks = onLines.marks.filter((mark) => mark.axis === axis);
    const toGap = edges[axis].length > 0 ? gapSnap(bounds, boxes, axis, threshold) : null;
    return toGap !== null && (marks.length === 0 || Math.abs(toGap) < Math.abs(onLines.by[axis]))
      ? { by: toGap, marks: [] }
      : { by: onLines.by[axis], marks };
  });
  const by = { x: axes[0]?.by ?? 0, y: axes[1]?.by ?? 0 };
  const placed = movedBox(bounds, by);
  return {
    by,
    marks: axes.flatMap(({ marks }) => marks),
    gaps: [...equalGaps(placed, boxes, 'x'), ...equalGaps(placed, boxes, 'y')],
  };
}

const movedBox = ({ left, top, right, bottom }: Box, { x, y }: Point): Box => ({
  left: left + x,
  top: top + y,
  right: right + x,
  bottom: bottom + y,
});

function move(elements: readonly PageElement[], way: Point, keys: DragKeys, snapping: Snapping): Dragged {
  const by = keys.shift ? alongAxis(way) : way;
  const start = boundsOfAll(elements);
  const bounds = start && movedBox(start, by);
  const edges = bounds && edgesOf(bounds);
  const snapped =
    edges && snapping
      ? snapMove(
          bounds,
          // An axis that Shift locks does not snap.
          {
            x: keys.shift && by.x === 0 ? [] : edges.x,
            y: keys.shift && by.y === 0 ? [] : edges.y,
          },
          snapping,
        )
      : { by: { x: 0, y: 0 }, marks: [], gaps: [] };
  const frames = elements.map((element) => ({
    ...element,
    x: element.x + by.x + snapped.by.x,
    y: element.y + by.y + snapped.by.y,
  }));
  return { frames: framesById(frames), marks: snapped.marks, gaps: snapped.gaps };
}

/**
 * Returns whether to keep the aspect ratio. When images are resized at a corner, it is kept unless Shift is held. In
 * all other cases, it is kept only if Shift is held.
 */
function keepsAspect(elements: readonly PageElement[], handle: Handle, shift: boolean): boolean {
  const { x, y } = handles[handle];
  const images = elements.every(({ type }) => type === 'image');
  return images && x !== 0 && y !== 0 ? !shift : shift;
}

function resize(
  elements: readonly PageElement[],
  handle: Handle,
  way: Point,
  keys: DragKeys,
  snapping: Snapping,
): Dragged {
  const options = { keepAspect: keepsAspect(elements, handle, keys.shift), fromMiddle: keys.alt };
  const [only] = elements;
  const pull = (by: Point): (Frame & { id: string })[] =>
    only && elements.length === 1
      ? [{ ...resized(only, handle, by, options), id: only.id }]
      : resizedAll(elements, handle, by, options);
  // Do not snap if the aspect ratio is kept, because snapping one edge would move the other edge off its line.
  const upright = only && elements.length === 1 && !options.keepAspect ? movingEdges(only, handle) : null;
  if (!snapping || !upright) return { frames: framesById(pull(way)), marks: [], gaps: [] };
  const snapped = snapEdges(
    {
      x: upright.x === null ? [] : [upright.x + way.x],
      y: upright.y === null ? [] : [upright.y + way.y],
    },
    snapping.lines,
    snapping.threshold,
  );
  const frames = pull({ x: way.x + snapped.by.x, y: way.y + snapped.by.y });
  return { frames: framesById(frames), marks: snapped.marks, gaps: [] };
}

/** Returns the frames of the dragged elements while the pointer is at `to` (mm), and the lines and gaps to show. */
export function dragged(drag: Drag, to: Point, keys: DragKeys, snapping: Snapping): Dragged {
  const { from, elements } = drag;
  const way = { x: to.x - from.x, y: to.y - from.y };
  switch (drag.kind) {
    case 'move':
      return move(elements, way, keys, snapping);
    case 'resize':
      return resize(elements, drag.handle, way, keys, snapping);
    case 'rotate':
      return { frames: framesById(rotatedBy(elements, from, to, keys.shift)), marks: [], gaps: [] };
  }
}
