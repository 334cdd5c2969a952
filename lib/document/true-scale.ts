import type { MaterialElement } from './page-model';

type Size = { width: number; height: number };
export type TrueScale = NonNullable<MaterialElement['trueScale']>;

/** The scales at which a material can be printed. Each number is the N of a scale 1:N. */
export const scaleRatios = [1, 2, 5] as const;

/** The maximum number of tiles in a frame. */
const MAX_TILES = 64;
/** How far a tile extends under the next one in millimeters, so that no line shows between them. */
const OVERLAP = 0.05;

/** The size of a material's tiles, and their offsets from the upper left corner of the frame, in millimeters. */
export type Tiles = Size & { offsets: { left: number; top: number }[] };

/**
 * Returns the tiles that fill a frame with a texture at true scale, or null if more than `MAX_TILES` would be needed.
 * Adjacent tiles overlap slightly.
 */
export function tilesOf(frame: Size, { ratio, width, height }: TrueScale): Tiles | null {
  const step = { width: width / ratio, height: height / ratio };
  const columns = Math.ceil(frame.width / step.width);
  const rows = Math.ceil(frame.height / step.height);
  if (columns * rows > MAX_TILES) return null;
  const offsets = Array.from({ length: columns * rows }, (_, index) => ({
    left: (index % columns) * step.width,
    top: Math.floor(index / columns) * step.height,
  }));
  return { width: step.width + OVERLAP, height: step.height + OVERLAP, offsets };
}

/** The real lengths, in millimeters, that a scale bar can represent. */
const BARS = [1000, 500, 200, 100, 50, 20, 10];
/** Maximum fraction of a frame's width that a scale bar takes up. */
const BAR_PART = 0.6;

/**
 * Returns the label of a frame's scale bar and the printed length of the bar in millimeters. The bar represents the
 * longest length in `BARS` that, at the printed scale, takes up at most `BAR_PART` of the frame's width. If there is no
 * such length, the bar represents the shortest length in `BARS`.
 */
export function scaleBar(
  frameWidth: number,
  { ratio }: Pick<TrueScale, 'ratio'>,
): { length: number; label: string } {
  const real = BARS.find((mm) => mm / ratio <= frameWidth * BAR_PART) ?? 10;
  return { length: real / ratio, label: `${real / 10} cm (1:${ratio})` };
}
