import sharp, { type Sharp } from 'sharp';
import { materials as kinds } from '@/tests/fakes/matlib/vocabulary';
import { drawLabels, lookOf } from '@/tests/fakes/workflow/drawing/labels';
import { line, rect, svgDocument } from '@/tests/fakes/workflow/drawing/shapes';

type Swap = { where: string; name: string };
type Size = { width: number; height: number };
type Area = Size & { x: number; y: number };

/** Parses the prompt of a material swap. Returns null for any other prompt. */
export function swapOf(prompt: string): Swap | null {
  const found = /^Replace the material of (.+) with (.+)\. Keep everything else unchanged\.$/s.exec(prompt);
  return found?.[1] && found[2] ? { where: found[1], name: found[2] } : null;
}

/**
 * Returns the rectangle, in pixels, that stands for the part of the room named in `where`, or a rectangle in the middle
 * of the image if `where` names no known part.
 */
function areaOf(where: string, { width, height }: Size): Area {
  if (/floor|carpet|rug/i.test(where)) return { x: 0, y: height * 0.66, width, height: height * 0.24 };
  if (/ceiling/i.test(where)) return { x: 0, y: 0, width, height: height * 0.12 };
  if (/wall|panel/i.test(where)) return { x: 0, y: height * 0.14, width, height: height * 0.4 };
  return { x: width * 0.3, y: height * 0.4, width: width * 0.4, height: height * 0.3 };
}

/**
 * Returns the color that the fake material library has for a color word in `name`, or null if no word matches. If
 * `name` also contains the names of kinds of material, only the color words of those kinds match.
 */
function colorIn(name: string): string | null {
  const words = name.toLowerCase().split(/\W+/);
  const named = kinds.filter((kind) => words.includes(kind.name.toLowerCase()));
  const tones = (named.length > 0 ? named : kinds).flatMap((kind) => Object.entries(kind.tones));
  return tones.find(([word]) => words.includes(word))?.[1] ?? null;
}

/** Draws a material with its grain. `imageHeight` determines the width of the grain lines. */
function drawMaterial(
  name: string,
  materials: string[],
  area: Area,
  imageHeight: number,
  opacity: number,
): string {
  const { x, y, width, height } = area;
  const { roll, color, grain } = lookOf(materials[0] ?? name);
  const veins = Array.from({ length: 9 }, () => {
    const from = y + height * roll();
    const to = Math.min(Math.max(from + height * (roll() - 0.5) * 0.3, y), y + height);
    return line(x, from, x + width, to, grain, Math.max(imageHeight / 160, 0.5));
  });
  return rect(x, y, width, height, colorIn(name) ?? color, `fill-opacity="${opacity}"`) + veins.join('');
}

/** Draws an image that shows only the material. */
export function materialSurface({ name }: Swap, materials: string[], { width, height }: Size): Buffer {
  const area = { x: 0, y: 0, width, height };
  return svgDocument(width, height, drawMaterial(name, materials, area, height, 1));
}

/** Scales and crops an image to the given size, draws a material over the part that `where` names, and adds labels. */
export function swapMaterial(
  input: Buffer,
  { where, name }: Swap,
  { width, height, materials }: Size & { materials: string[] },
): Sharp {
  const area = areaOf(where, { width, height });
  const surface = drawMaterial(name, materials, area, height, 0.85);
  const labels = drawLabels(width, height, `${name}: ${where}`, materials);
  const over = svgDocument(width, height, surface + labels);
  return sharp(input)
    .resize(width, height, { fit: 'cover' })
    .composite([{ input: over }])
    .removeAlpha();
}
