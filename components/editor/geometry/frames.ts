import type { PageElement } from '@/lib/document/page-model';

/** Position and size in millimeters from the page's top left corner, rotated around the center in degrees. */
export type Frame = Pick<PageElement, 'x' | 'y' | 'w' | 'h' | 'rotation'>;
export type Point = { x: number; y: number };
/** An axis-aligned rectangle in millimeters. */
export type Box = { left: number; top: number; right: number; bottom: number };

/** Limits of the page model, in millimeters. */
const MAX_PLACE = 2000;
const MIN_SIDE = 0.1;
const MAX_SIDE = 2000;

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);

/** Rounds to 0.01, finer than any printer, to avoid the tails of binary fractions. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100 || 0;
}

/** Normalizes an angle to more than -180 and at most 180 degrees. */
export function turned(degrees: number): number {
  const angle = rounded(degrees % 360);
  if (angle > 180) return rounded(angle - 360);
  return angle <= -180 ? rounded(angle + 360) : angle;
}

/** Clamps a frame to the limits of the page model. */
export function boundedFrame({ x, y, w, h, rotation }: Frame): Frame {
  return {
    x: rounded(clamp(x, -MAX_PLACE, MAX_PLACE)),
    y: rounded(clamp(y, -MAX_PLACE, MAX_PLACE)),
    w: rounded(clamp(w, MIN_SIDE, MAX_SIDE)),
    h: rounded(clamp(h, MIN_SIDE, MAX_SIDE)),
    rotation: turned(rotation),
  };
}

export function sameFrame(a: Frame, b: Frame): boolean {
  return a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h && a.rotation === b.rotation;
}

export function middleOf({ x, y, w, h }: Frame): Point {
  return { x: x + w / 2, y: y + h / 2 };
}

/** Rotates a vector clockwise (y points down). */
export function turnVector({ x, y }: Point, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { x: x * cos - y * sin, y: x * sin + y * cos };
}

/** The axis-aligned bounds of a rotated frame. */
export function boundsOf(frame: Frame): Box {
  const middle = middleOf(frame);
  const angle = (frame.rotation * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const width = frame.w * cos + frame.h * sin;
  const height = frame.w * sin + frame.h * cos;
  return {
    left: middle.x - width / 2,
    top: middle.y - height / 2,
    right: middle.x + width / 2,
    bottom: middle.y + height / 2,
  };
}

/** The axis-aligned bounds of several frames; null when there are none. */
export function boundsOfAll(frames: readonly Frame[]): Box | null {
  const [first, ...others] = frames.map(boundsOf);
  if (!first) return null;
  return others.reduce(
    (all, box) => ({
      left: Math.min(all.left, box.left),
      top: Math.min(all.top, box.top),
      right: Math.max(all.right, box.right),
      bottom: Math.max(all.bottom, box.bottom),
    }),
    first,
  );
}

/** Whether two rectangles overlap or touch. */
export function touches(a: Box, b: Box): boolean {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
}

/** Sorts frames in reading order: top to bottom, then left to right for those that start at about the same height. */
export function inReadingOrder<Item extends Frame>(items: readonly Item[]): Item[] {
  const line = 3;
  const placed = items.map((item) => ({ item, box: boundsOf(item) }));
  placed.sort((a, b) => a.box.top - b.box.top);
  const lines: (typeof placed)[] = [];
  for (const entry of placed) {
    const last = lines.at(-1);
    if (last?.[0] && entry.box.top - last[0].box.top <= line) last.push(entry);
    else lines.push([entry]);
  }
  return lines.flatMap((entries) => entries.sort((a, b) => a.box.left - b.box.left).map(({ item }) => item));
}
