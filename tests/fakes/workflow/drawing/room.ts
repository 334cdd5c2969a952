import { furnish } from '@/tests/fakes/workflow/drawing/furniture';
import type { Palette } from '@/tests/fakes/workflow/drawing/palette';
import { between, type Rolls } from '@/tests/fakes/workflow/drawing/rolls';
import { ellipse, line, polygon, rect } from '@/tests/fakes/workflow/drawing/shapes';

/** Returns the gradients that shapes reference as `url(#…)`. */
export function gradients({ wall, side, glow }: Palette): string {
  const stop = (offset: number, color: string, opacity = 1) =>
    `<stop offset="${offset}" stop-color="${color}" stop-opacity="${opacity}"/>`;
  return `<defs>
    <linearGradient id="wall">${stop(0, wall)}${stop(1, side)}</linearGradient>
    <linearGradient id="beam" x2="0" y2="1">${stop(0, glow, 0.55)}${stop(1, glow, 0)}</linearGradient>
    <radialGradient id="glow">${stop(0, glow, 0.75)}${stop(1, glow, 0)}</radialGradient>
  </defs>`;
}

/**
 * Draws an interior as SVG content: walls, floor, a window with its light, a rug and furniture. Sizes are in pixels.
 */
export function drawRoom(width: number, height: number, colors: Palette, roll: Rolls): string {
  const horizon = height * between(roll, 0.56, 0.7);
  const ceiling = height * between(roll, 0.06, 0.14);
  const mirrored = roll() < 0.5;
  const depth = width * between(roll, 0.12, 0.26);
  const planes = [
    rect(0, 0, width, height, colors.ceiling),
    rect(depth, ceiling, width - depth, horizon - ceiling, 'url(#wall)'),
    polygon([0, 0, depth, ceiling, depth, horizon, 0, height], colors.side),
    polygon([depth, horizon, width, horizon, width, height, 0, height], colors.floor),
    ...floorBoards(width, height, depth, horizon, colors.dark),
  ];
  const light = drawWindow({ width, height, depth, horizon, ceiling }, colors, roll);
  const rug = ellipse(
    width * between(roll, 0.4, 0.65),
    horizon + (height - horizon) * 0.45,
    width * between(roll, 0.2, 0.32),
    (height - horizon) * 0.22,
    colors.accent,
    'fill-opacity=".55"',
  );
  const mirror = mirrored ? `transform="translate(${width}) scale(-1 1)"` : '';
  const furniture = furnish({ width, height, horizon, colors }, 3 + Math.floor(roll() * 2), roll);
  return `<g ${mirror}>${planes.join('')}${light}${rug}</g>${furniture}`;
}

function floorBoards(width: number, height: number, depth: number, horizon: number, color: string): string[] {
  return Array.from({ length: 9 }, (_, index) => {
    const far = depth + (width - depth) * (index / 8);
    const near = width * (-0.2 + 1.4 * (index / 8));
    const board = line(far, horizon, near, height, color, Math.max(width / 700, 0.5));
    return `<g opacity=".22">${board}</g>`;
  });
}

function drawWindow(
  room: { width: number; height: number; depth: number; horizon: number; ceiling: number },
  { sky, dark }: Palette,
  roll: Rolls,
): string {
  const { width, height, depth, horizon, ceiling } = room;
  const w = width * between(roll, 0.16, 0.34);
  const h = (horizon - ceiling) * between(roll, 0.5, 0.72);
  const x = depth + (width - depth - w) * between(roll, 0.15, 0.85);
  const y = ceiling + (horizon - ceiling) * 0.12;
  const bars = Math.max(width / 160, 0.5);
  const slant = width * between(roll, -0.25, 0.25);
  return [
    rect(x, y, w, h, sky, `stroke="${dark}" stroke-width="${bars.toFixed(1)}"`),
    line(x + w / 2, y, x + w / 2, y + h, dark, bars / 2),
    line(x, y + h * 0.4, x + w, y + h * 0.4, dark, bars / 2),
    polygon([x, y, x + w, y, x + w + slant * 1.5, height, x + slant, height], 'url(#beam)'),
  ].join('');
}
