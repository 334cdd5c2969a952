import type { Box, Frame } from '@/lib/document/bounds';
import { boundsOfAll } from './frames';

/** Returns an upright frame with the bounds of a box. */
export function frameOf({ left, top, right, bottom }: Box): Frame {
  return { x: left, y: top, w: right - left, h: bottom - top, rotation: 0 };
}

/**
 * Moves units. A unit is a list of frames that keep their relative positions. Applies `change` to the bounds of all
 * units, then moves the frames of each unit by as much as `change` moved the bounds of the unit.
 */
export function movedUnits<Item extends Frame>(
  units: readonly Item[][],
  change: (frames: readonly Frame[]) => Frame[],
): Item[] {
  const before = units.flatMap((unit) => {
    const bounds = boundsOfAll(unit);
    return bounds ? [{ unit, frame: frameOf(bounds) }] : [];
  });
  const after = change(before.map(({ frame }) => frame));
  return before.flatMap(({ unit, frame }, index) => {
    const { x, y } = after[index] ?? frame;
    return unit.map((item) => ({ ...item, x: item.x + x - frame.x, y: item.y + y - frame.y }));
  });
}

/** Scales all frames by the same factor. The upper left corner of their common bounds stays in place. */
export function scaledTogether<Item extends Frame>(frames: readonly Item[], scale: number): Item[] {
  const bounds = boundsOfAll(frames);
  if (!bounds) return [];
  return frames.map((frame) => ({
    ...frame,
    x: bounds.left + (frame.x - bounds.left) * scale,
    y: bounds.top + (frame.y - bounds.top) * scale,
    w: frame.w * scale,
    h: frame.h * scale,
  }));
}
