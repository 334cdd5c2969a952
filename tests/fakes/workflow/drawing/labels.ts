import { hsl } from '@/tests/fakes/workflow/drawing/palette';
import { ADVANCE, LINE_HEIGHT, pixelText, wrapText } from '@/tests/fakes/workflow/drawing/pixel-text';
import { between, rollsFrom } from '@/tests/fakes/workflow/drawing/rolls';
import { line, rect } from '@/tests/fakes/workflow/drawing/shapes';

const LINES = 2;

/** Draws a band at the bottom with the text of the prompt and, above the band, a swatch of each material. */
export function drawLabels(width: number, height: number, prompt: string, materials: string[]): string {
  const scale = Math.max(1, Math.round(Math.min(width, height * 1.5) / 400));
  const margin = scale * 4;
  const columns = Math.max(Math.floor((width - margin * 2) / (ADVANCE * scale)), 1);
  const lines = wrapText(prompt, columns, LINES);
  const top = height - margin * 2 - lines.length * LINE_HEIGHT * scale;
  const texts = lines.map((each, index) =>
    pixelText(each, margin, top + margin + index * LINE_HEIGHT * scale, scale, '#fff'),
  );
  const side = Math.min(Math.max(width, height) / 16, width / (materials.length + 1));
  const swatches = materials.map((material, index) =>
    drawSwatch(material, margin + index * side * 1.08, top - side - margin, side),
  );
  return [rect(0, top, width, height - top, 'black', 'fill-opacity=".8"'), ...texts, ...swatches].join('');
}

/** Returns a material's color, its darker grain color, and the random number generator for drawing the material. */
export function lookOf(material: string) {
  const roll = rollsFrom('material', material);
  const hue = roll() * 360;
  const lightness = between(roll, 35, 70);
  return { roll, color: hsl(hue, 40, lightness), grain: hsl(hue, 35, lightness - 18) };
}

function drawSwatch(material: string, x: number, y: number, side: number): string {
  const { roll, color, grain: dark } = lookOf(material);
  const grain = Array.from({ length: 4 }, () => {
    const from = y + side * roll();
    const to = Math.min(Math.max(from + side * between(roll, -0.3, 0.3), y), y + side);
    return line(x, from, x + side, to, dark, side / 18);
  });
  const border = `stroke="white" stroke-width="${(side / 16).toFixed(1)}"`;
  return [rect(x, y, side, side, color, border), ...grain].join('');
}
