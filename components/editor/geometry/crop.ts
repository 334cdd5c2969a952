import type { Point } from '@/lib/document/bounds';
import type { ImageElement } from '@/lib/document/page-model';
import { placeImage } from '@/lib/document/place-image';

type Size = { width: number; height: number };
type Frame = { w: number; h: number };
/** A part of an image, in fractions of its sides. */
export type Part = NonNullable<ImageElement['crop']>;

/** Maximum zoom, relative to the smallest zoom that fills the frame. */
const MAX_ZOOM = 8;
/** The page model's minimum for a crop's sides, as a fraction of the image's sides. */
const MIN_SIDE = 0.01;
/** The values of a crop are rounded to this many steps per image side. In most images, a step is less than a pixel. */
const STEPS = 100_000;

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);
const rounded = (value: number) => Math.round(value * STEPS) / STEPS;

/**
 * Returns the part of an image that a frame shows when `crop` (null for the whole image) is scaled to fill the frame.
 */
export function shownPart({ w, h }: Frame, image: Size, crop: Part | null): Part {
  const { left, top, width, height } = placeImage({ width: w, height: h }, image, 'cover', crop);
  return { x: -left / width, y: -top / height, w: w / width, h: h / height };
}

/** Returns the maximum zoom of an image. `full` is the part that its frame shows without a crop. */
export function maxZoom(full: Part): number {
  return Math.max(1, Math.min(MAX_ZOOM, full.w / MIN_SIDE, full.h / MIN_SIDE));
}

/**
 * Returns the zoom at which a frame shows `part`. At zoom 1, the frame shows `full`, the part that is visible without a
 * crop.
 */
export function zoomOf(part: Part, full: Part): number {
  return clamp(full.w / part.w, 1, maxZoom(full));
}

/** Returns a part moved by fractions of the image, but not beyond its edges. */
export function panned(part: Part, by: Point): Part {
  return {
    ...part,
    x: clamp(part.x + by.x, 0, Math.max(0, 1 - part.w)),
    y: clamp(part.y + by.y, 0, Math.max(0, 1 - part.h)),
  };
}

/**
 * Returns the part that the frame shows after its zoom changes to `zoom`. `at` is a point of the frame, in fractions of
 * its sides. The point of the image that is at `at` stays there unless the image would then no longer fill the frame.
 */
export function zoomedTo(part: Part, zoom: number, full: Part, at: Point): Part {
  const factor = clamp(zoom, 1, maxZoom(full));
  const [w, h] = [full.w / factor, full.h / factor];
  return panned({ x: part.x + at.x * (part.w - w), y: part.y + at.y * (part.h - h), w, h }, { x: 0, y: 0 });
}

/** Returns the crop to store for a frame to show `part`; null if the frame shows this part without a crop. */
export function cropOf(part: Part, full: Part): Part | null {
  const keys = ['x', 'y', 'w', 'h'] as const;
  if (keys.every((key) => Math.abs(part[key] - full[key]) * STEPS < 1)) return null;
  const [w, h] = [part.w, part.h].map((side) => clamp(rounded(side), MIN_SIDE, 1));
  if (w === undefined || h === undefined) return null;
  return { x: clamp(rounded(part.x), 0, 1 - w), y: clamp(rounded(part.y), 0, 1 - h), w, h };
}
