import { hsl, type Palette } from '@/tests/fakes/workflow/drawing/palette';
import { between, type Rolls, rollsFrom } from '@/tests/fakes/workflow/drawing/rolls';
import { ellipse, line, polygon, rect } from '@/tests/fakes/workflow/drawing/shapes';

/** Draws a piece of furniture whose base is centered at `x`, `y`. Its size is proportional to `u`. */
type Piece = (x: number, y: number, u: number, colors: Palette, roll: Rolls) => string;

const shadow = (x: number, y: number, w: number) =>
  ellipse(x, y, w / 2, w * 0.07, 'black', 'fill-opacity=".25"');

const sofa: Piece = (x, y, u, { main, accent, dark }, roll) => {
  const w = u * between(roll, 0.38, 0.5);
  const h = w * 0.42;
  const left = x - w / 2;
  const round = `rx="${(h * 0.12).toFixed(1)}"`;
  return [
    shadow(x, y, w * 1.1),
    rect(left, y - h, w, h * 0.75, main, round),
    rect(left, y - h * 0.55, w, h * 0.45, main, `${round} stroke="black" stroke-opacity=".25"`),
    rect(
      left - w * 0.05,
      y - h * 0.7,
      w * 0.12,
      h * 0.62,
      main,
      `${round} stroke="black" stroke-opacity=".3"`,
    ),
    rect(
      left + w * 0.93,
      y - h * 0.7,
      w * 0.12,
      h * 0.62,
      main,
      `${round} stroke="black" stroke-opacity=".3"`,
    ),
    rect(left + w * between(roll, 0.15, 0.7), y - h * 0.85, h * 0.34, h * 0.34, accent, round),
    rect(left, y - h * 0.1, w * 0.04, h * 0.1, dark),
    rect(left + w * 0.96, y - h * 0.1, w * 0.04, h * 0.1, dark),
  ].join('');
};

const table: Piece = (x, y, u, { accent, dark }, roll) => {
  const w = u * between(roll, 0.2, 0.3);
  const h = w * 0.45;
  const legs = [-0.4, 0.4].map((at) => line(x + w * at, y - h, x + w * at, y, dark, w * 0.03));
  const top = ellipse(x, y - h, w / 2, w * 0.1, accent);
  const vase = rect(x - w * 0.04, y - h - w * 0.2, w * 0.09, w * 0.2, dark, `rx="${(w * 0.03).toFixed(1)}"`);
  return [shadow(x, y, w), ...legs, top, vase].join('');
};

const lamp: Piece = (x, y, u, { glow, dark, accent }, roll) => {
  const h = u * between(roll, 0.4, 0.52);
  const w = h * 0.3;
  const [top, foot] = [y - h - w * 0.25, y - h + w * 0.35];
  return [
    shadow(x, y, w),
    line(x, y, x, y - h, dark, h * 0.018),
    ellipse(x, y, w * 0.3, w * 0.06, dark),
    ellipse(x, y - h, h * 0.55, h * 0.55, 'url(#glow)'),
    polygon([x - w * 0.28, top, x + w * 0.28, top, x + w / 2, foot, x - w / 2, foot], accent),
    rect(x - w / 2, y - h + w * 0.33, w, w * 0.07, glow),
  ].join('');
};

const plant: Piece = (x, y, u, { dark }, roll) => {
  const h = u * between(roll, 0.24, 0.4);
  const pot = polygon(
    [x - h * 0.16, y - h * 0.3, x + h * 0.16, y - h * 0.3, x + h * 0.11, y, x - h * 0.11, y],
    dark,
  );
  const leaves = Array.from({ length: 9 }, () => {
    const lean = between(roll, -62, 62);
    const turn = `transform="rotate(${lean.toFixed(1)} ${x.toFixed(1)} ${(y - h * 0.3).toFixed(1)})"`;
    return ellipse(
      x,
      y - h * 0.66,
      h * 0.07,
      h * 0.36,
      hsl(between(roll, 95, 150), 38, between(roll, 24, 44)),
      turn,
    );
  });
  return [shadow(x, y, h * 0.4), ...leaves, pot].join('');
};

const shelf: Piece = (x, y, u, { dark, main, accent, glow }, roll) => {
  const [w, h] = [u * 0.24, u * between(roll, 0.4, 0.56)];
  const boards = [0, 1, 2, 3].map((row) => {
    const bottom = y - (h / 4) * row - h * 0.03;
    const books = Array.from({ length: 5 }, (_, index) => {
      const tall = (h / 4) * between(roll, 0.35, 0.78);
      const color = [main, accent, glow][Math.floor(roll() * 3)] ?? main;
      return rect(x - w * 0.42 + index * w * 0.15, bottom - tall, w * 0.11, tall, color);
    });
    return [...books, rect(x - w / 2, bottom, w, h * 0.03, dark)].join('');
  });
  const back = rect(x - w / 2, y - h, w, h, dark, 'fill-opacity=".45"');
  return [shadow(x, y, w * 1.1), back, ...boards].join('');
};

const pieces: Piece[] = [sofa, table, lamp, plant, shelf];

/** Draws `count` pieces of furniture on the floor below `horizon`, from back to front. */
export function furnish(
  room: { width: number; height: number; horizon: number; colors: Palette },
  count: number,
  roll: Rolls,
): string {
  const { width, height, horizon, colors } = room;
  const u = Math.min(width, height * 1.3);
  const offset = Math.floor(roll() * pieces.length);
  const placed = Array.from({ length: count }, (_, index) => ({
    piece: pieces[(offset + index * 2) % pieces.length] ?? sofa,
    x: width * ((index + between(roll, 0.25, 0.75)) / count),
    depth: between(roll, 0.08, 0.55),
    own: rollsFrom(roll(), index),
  }));
  return placed
    .sort((a, b) => a.depth - b.depth)
    .map(({ piece, x, depth, own }) =>
      piece(x, horizon + (height - horizon) * depth, u * (0.75 + depth * 0.6), colors, own),
    )
    .join('');
}
