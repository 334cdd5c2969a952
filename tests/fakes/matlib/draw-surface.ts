import { cells, createNoise, layered } from '@/tests/fakes/matlib/noise';
import type { Style } from '@/tests/fakes/matlib/vocabulary';

/**
 * Returns the brightness of a point; 1 keeps the material's own color. `x` and `y` range from 0 to 1 across the image.
 */
export type Shade = (x: number, y: number) => number;

const JOINT = 0.55;

/**
 * Finds the block that contains a point, in a grid of blocks such as bricks. `edge` is the point's distance from the
 * nearest joint, as a share of the image.
 */
function block(x: number, y: number, columns: number, rows: number, shift: number) {
  const row = Math.floor(y * rows);
  const across = x * columns + (row % 2) * shift;
  const column = Math.floor(across);
  const fromSide = Math.min(across - column, 1 - (across - column)) / columns;
  const fromTop = Math.min(y * rows - row, 1 - (y * rows - row)) / rows;
  return { column, row, edge: Math.min(fromSide, fromTop) };
}

/** Returns the shade function of a surface style, such as grain, veins or weave. The seed varies the pattern. */
export function shadeOf(style: Style, seed: number): Shade {
  const noise = createNoise(seed);
  const clouds = layered(noise);
  const points = cells(seed);
  const scale = 0.8 + (seed % 7) / 10;
  const styles: Record<Style, Shade> = {
    clouds: (x, y) => 0.82 + 0.36 * clouds(x * 6 * scale, y * 6 * scale),
    grain: (x, y) => {
      const warp = clouds(x * 2, y * 3) * 5;
      return (
        0.84 + 0.22 * Math.abs(Math.sin((x * 14 * scale + warp) * 2)) + 0.12 * (noise(x * 90, y * 6) - 0.5)
      );
    },
    planks: (x, y) => {
      const { column, row, edge } = block(y, x, 2, 6, 0.5);
      if (edge < 0.004) return JOINT;
      const tint = 0.85 + 0.3 * noise(column * 9.3, row * 5.7);
      return (
        tint *
        (0.93 + 0.14 * noise(x * 70, y * 5 + row * 11)) *
        (0.95 + 0.1 * Math.sin(clouds(x * 9, y * 2) * 18))
      );
    },
    veins: (x, y) => {
      const warp = clouds(x * 3 * scale, y * 3 * scale);
      const broad = Math.abs(Math.sin((x + y * 0.7 + warp * 1.9) * 4));
      const thin = Math.abs(Math.sin((x * 0.6 - y + noise(x * 7, y * 7) * 0.5 + warp) * 9));
      return 1 + 0.06 * (warp - 0.5) - 0.17 * Math.exp(-broad * 9) - 0.2 * Math.exp(-thin * 26);
    },
    speckle: (x, y) => 0.78 + 0.3 * noise(x * 120, y * 120) + 0.14 * clouds(x * 30, y * 30),
    chips: (x, y) => {
      const { distance, cell } = points(x * 16 * scale, y * 16 * scale);
      return distance < 0.34 ? 0.55 + cell * 0.7 : 1 + 0.04 * (noise(x * 80, y * 80) - 0.5);
    },
    bricks: (x, y) => {
      const { column, row, edge } = block(x, y, 5, 11, 0.5);
      if (edge < 0.007) return 1.28;
      return 0.82 + 0.3 * noise(column * 3.7 + 0.5, row * 7.1) + 0.18 * (clouds(x * 24, y * 24) - 0.5);
    },
    tiles: (x, y) => {
      const { column, row, edge } = block(x, y, 4, 4, 0);
      if (edge < 0.006) return 0.68;
      return (
        0.95 +
        0.1 * noise(column * 5.1, row * 3.3) +
        0.08 * clouds(x * 9, y * 9) +
        0.05 * Math.min(1, edge * 20)
      );
    },
    weave: (x, y) => {
      const across = Math.sin(x * 190 * scale);
      const along = Math.sin(y * 190 * scale);
      const isOver = Math.sin(x * 95 * scale) * Math.sin(y * 95 * scale) > 0;
      return 0.88 + 0.16 * Math.abs(isOver ? across : along) + 0.1 * (clouds(x * 12, y * 12) - 0.5);
    },
    brushed: (x, y) => 0.9 + 0.12 * noise(x * 3, y * 160) + 0.14 * (x * 0.4 + 0.3 * Math.sin(x * 3 + y)),
    pebbles: (x, y) => {
      const { distance, cell } = points(x * 14 * scale, y * 14 * scale);
      return (
        (0.72 + 0.45 * cell) * (1.12 - 0.75 * distance * distance) + 0.08 * (noise(x * 60, y * 60) - 0.5)
      );
    },
    strands: (x, y) =>
      0.72 + 0.34 * noise(x * 110 + clouds(x * 5, y * 5) * 16, y * 28) + 0.18 * clouds(x * 8, y * 8),
  };
  return styles[style];
}
