import type { Frame, Point } from '@/lib/document/bounds';
import type { PageElement } from '@/lib/document/page-model';
import { boundsOfAll } from './frames';
import { type Handle, handles, movingEdges, resized, resizedAll } from './resize';
import { rotatedBy } from './rotate';
import { edgesOf, type SnapLines, type SnapMark, snapEdges } from './snap';

/** A drag in progress: its kind, and the pointer position (mm) and elements at its start. */
export type Drag = {
  from: Point;
  elements: readonly PageElement[];
} & ({ kind: 'move' } | { kind: 'resize'; handle: Handle } | { kind: 'rotate' });

export type DragKeys = { shift: boolean; alt: boolean };
/** Null disables snapping; the threshold is in millimeters. */
export type Snapping = { lines: SnapLines; threshold: number } | null;
export type Dragged = { frames: Record<string, Frame>; marks: SnapMark[] };

function framesById(frames: readonly (Frame & { id: string })[]): Record<string, Frame> {
  return Object.fromEntries(frames.map(({ id, x, y, w, h, rotation }) => [id, { x, y, w, h, rotation }]));
}

/** Restricts a move to its longer axis. */
function alongAxis({ x, y }: Point): Point {
  return Math.abs(x) >= Math.abs(y) ? { x, y: 0 } : { x: 0, y };
}

function move(elements: readonly PageElement[], way: Point, keys: DragKeys, snapping: Snapping): Dragged {
  const by = keys.shift ? alongAxis(way) : way;
  const bounds = boundsOfAll(elements);
  const edges = bounds && edgesOf(bounds);
  const snapped =
    edges && snapping
      ? snapEdges(
          // An axis that Shift locks does not snap.
          {
            x: keys.shift && by.x === 0 ? [] : edges.x.map((edge) => edge + by.x),
            y: keys.shift && by.y === 0 ? [] : edges.y.map((edge) => edge + by.y),
          },
          snapping.lines,
          snapping.threshold,
        )
      : { by: { x: 0, y: 0 }, marks: [] };
  const frames = elements.map((element) => ({
    ...element,
    x: element.x + by.x + snapped.by.x,
    y: element.y + by.y + snapped.by.y,
  }));
  return { frames: framesById(frames), marks: snapped.marks };
}

/** Returns whether to keep the aspect ratio: at corners of images unless Shift is held, otherwise only with Shift. */
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
  // If the aspect ratio is kept, snapping one edge would move the other edge off its line.
  const upright = only && elements.length === 1 && !options.keepAspect ? movingEdges(only, handle) : null;
  if (!snapping || !upright) return { frames: framesById(pull(way)), marks: [] };
  const snapped = snapEdges(
    {
      x: upright.x === null ? [] : [upright.x + way.x],
      y: upright.y === null ? [] : [upright.y + way.y],
    },
    snapping.lines,
    snapping.threshold,
  );
  const frames = pull({ x: way.x + snapped.by.x, y: way.y + snapped.by.y });
  return { frames: framesById(frames), marks: snapped.marks };
}

/** Returns the frames of the dragged elements while the pointer is at `to` (mm), and the marks they snap to. */
export function dragged(drag: Drag, to: Point, keys: DragKeys, snapping: Snapping): Dragged {
  const { from, elements } = drag;
  const way = { x: to.x - from.x, y: to.y - from.y };
  switch (drag.kind) {
    case 'move':
      return move(elements, way, keys, snapping);
    case 'resize':
      return resize(elements, drag.handle, way, keys, snapping);
    case 'rotate':
      return { frames: framesById(rotatedBy(elements, from, to, keys.shift)), marks: [] };
  }
}
