import type { PageElement } from './page-model';

/** Position (from the page's top left corner) and size in millimeters, and rotation around the center in degrees. */
export type Frame = Pick<PageElement, 'x' | 'y' | 'w' | 'h' | 'rotation'>;
export type Point = { x: number; y: number };
/** An axis-aligned rectangle in millimeters. */
export type Box = { left: number; top: number; right: number; bottom: number };

export function middleOf({ x, y, w, h }: Frame): Point {
  return { x: x + w / 2, y: y + h / 2 };
}

/** Returns the axis-aligned bounds of a rotated frame. */
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

/** Returns whether two rectangles overlap or touch. */
export function touches(a: Box, b: Box): boolean {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
}
