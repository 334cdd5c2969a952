import { type Box, boundsOf, type Frame, type Point } from '@/lib/document/bounds';

// The page model's limits for frames, in millimeters.
const MAX_POSITION = 2000;
const MIN_SIDE = 0.1;
const MAX_SIDE = 2000;

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);

/**
 * Rounds to two decimal places. That is precise enough for print, and it avoids values such as 0.30000000000000004.
 */
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
    x: rounded(clamp(x, -MAX_POSITION, MAX_POSITION)),
    y: rounded(clamp(y, -MAX_POSITION, MAX_POSITION)),
    w: rounded(clamp(w, MIN_SIDE, MAX_SIDE)),
    h: rounded(clamp(h, MIN_SIDE, MAX_SIDE)),
    rotation: turned(rotation),
  };
}

/**
 * Returns the frame enlarged to a height of `h` mm, or to the maximum height if `h` exceeds it. Returns null if the
 * frame would not become higher.
 */
export function heightened(frame: Frame, h: number): Frame | null {
  const bounded = boundedFrame({ ...frame, h });
  return bounded.h > frame.h ? bounded : null;
}

export function sameFrame(a: Frame, b: Frame): boolean {
  return a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h && a.rotation === b.rotation;
}

/** Rotates a vector clockwise (y points down). */
export function rotateVector({ x, y }: Point, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { x: x * cos - y * sin, y: x * sin + y * cos };
}

/** Returns the axis-aligned bounds of several frames, or null if there are none. */
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
