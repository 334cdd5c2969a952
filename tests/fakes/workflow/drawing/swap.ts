import sharp, { type Sharp } from 'sharp';
import { materials as kinds } from '@/tests/fakes/matlib/vocabulary';
import { drawLabels, lookOf } from '@/tests/fakes/workflow/drawing/labels';
import { line, rect, svgDocument } from '@/tests/fakes/workflow/drawing/shapes';

type Swap = { where: string; name: string };
type Size = { width: number; height: number };
type Area = Size & { x: number; y: number };

/** Recognizes the prompt of a material swap. Returns null for any other prompt. */
export function swapOf(prompt: string): Swap | null {
  const found = /^Replace the material of (.+) with (.+)\. Keep everything else unchanged\.$/s.exec(prompt);
  return found?.[1] && found[2] ? { where: found[1], name: found[2] } : null;
}

/** Returns the part of a room that the words name, in pixels. Without a known word, returns a part in the middle. */
function areaOf(where: string, { width, height }: Size): Area {
  if (/floor|carpet|rug/i.test(where)) return { x: 0, y: height * 0.66, width, height: height * 0.24 };
  if (/ceiling/i.test(where)) return { x: 0, y: 0, width, height: height * 0.12 };
  if (/wall|panel/i.test(where)) return { x: 0, y: height * 0.14, width, height: height * 0.4 };
  return { x: width * 0.3, y: height * 0.4, width: width * 0.4, height: height * 0.3 };
}

/** Returns the color that the fake material library gives a material with this name, or null if it names no color. */
function colorIn(name: string): string | null {
  const words = name.toLowerCase().split(/\W+/);
  const named = kinds.filter((kind) => words.includes(kind.name.toLowerCase()));
  const tones = (named.length > 0 ? named : kinds).flatMap((kind) => Object.entries(kind.tones));
  return tones.find(([word]) => words.includes(word))?.[1] ?? null;
}

/** Draws an image with a part of it covered by a material, and with the material's name. The rest stays the same. */
export function swapMaterial(
  input: Buffer,
  { where, name }: Swap,
  { width, height, materials }: Size & { materials: string[] },
): Sharp {
  const { x, y, ...size } = areaOf(where, { width, height });
  const { roll, color, grain } = lookOf(materials[0] ?? name);
  const veins = Array.from({ length: 9 }, () => {
    const from = y + size.height * roll();
    const to = Math.min(Math.max(from + size.height * (roll() - 0.5) * 0.3, y), y + size.height);
    return line(x, from, x + size.width, to, grain, Math.max(height / 160, 0.5));
  });
  const surface = rect(x, y, size.width, size.height, colorIn(name) ?? color, 'fill-opacity=".85"');
  const over = svgDocument(
    width,
    height,
    `${surface}${veins.join('')}${drawLabels(width, height, `${name}: ${where}`, materials)}`,
  );
  return sharp(input)
    .resize(width, height, { fit: 'cover' })
    .composite([{ input: over }])
    .removeAlpha();
}
