import { type Box, boundsOf, type Frame, type Point } from '@/lib/document/bounds';
import { boundsOfAll } from './frames';

export const alignments = ['left', 'center', 'right', 'top', 'middle', 'bottom'] as const;
export type Alignment = (typeof alignments)[number];
export type Axis = 'horizontal' | 'vertical';

function alignShift(box: Box, target: Box, alignment: Alignment): Point {
  switch (alignment) {
    case 'left':
      return { x: target.left - box.left, y: 0 };
    case 'center':
      return { x: (target.left + target.right - box.left - box.right) / 2, y: 0 };
    case 'right':
      return { x: target.right - box.right, y: 0 };
    case 'top':
      return { x: 0, y: target.top - box.top };
    case 'middle':
      return { x: 0, y: (target.top + target.bottom - box.top - box.bottom) / 2 };
    case 'bottom':
      return { x: 0, y: target.bottom - box.bottom };
  }
}

/**
 * Aligns frames by the bounds of their rotated shapes. A single frame is aligned to the page, several to their common
 * bounds.
 */
export function aligned<Item extends Frame>(
  frames: readonly Item[],
  alignment: Alignment,
  page: { width: number; height: number },
): Item[] {
  const sheet = { left: 0, top: 0, right: page.width, bottom: page.height };
  const target = frames.length === 1 ? sheet : boundsOfAll(frames);
  if (!target) return [];
  return frames.map((frame) => {
    const { x, y } = alignShift(boundsOf(frame), target, alignment);
    return { ...frame, x: frame.x + x, y: frame.y + y };
  });
}

/**
 * Spaces frames evenly between the outermost two, which do not move. Fewer than three frames are returned unchanged.
 */
export function distributed<Item extends Frame>(frames: readonly Item[], axis: Axis): Item[] {
  const [start, end] = axis === 'horizontal' ? (['left', 'right'] as const) : (['top', 'bottom'] as const);
  const boxes = frames.map((frame, index) => ({ index, box: boundsOf(frame) }));
  const sorted = boxes.sort((a, b) => a.box[start] + a.box[end] - b.box[start] - b.box[end]);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last || frames.length < 3) return [...frames];
  const inner = sorted.slice(1, -1);
  const taken = inner.reduce((sum, { box }) => sum + box[end] - box[start], 0);
  const gap = (last.box[start] - first.box[end] - taken) / (frames.length - 1);
  const shifts = new Map<number, number>();
  let position = first.box[end] + gap;
  for (const { index, box } of inner) {
    shifts.set(index, position - box[start]);
    position += box[end] - box[start] + gap;
  }
  return frames.map((frame, index) => {
    const shift = shifts.get(index) ?? 0;
    return axis === 'horizontal' ? { ...frame, x: frame.x + shift } : { ...frame, y: frame.y + shift };
  });
}
