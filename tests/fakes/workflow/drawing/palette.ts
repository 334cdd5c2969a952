import { between, type Rolls } from '@/tests/fakes/workflow/drawing/rolls';

/**
 * The mood that a prompt asks for. `hue` is in degrees, or null for any hue; `light` is positive for a brighter room,
 * negative for a darker one and 0 for an unchanged one.
 */
export type Mood = { hue: number | null; light: number };
export type Palette = {
  wall: string;
  side: string;
  ceiling: string;
  floor: string;
  sky: string;
  glow: string;
  main: string;
  accent: string;
  dark: string;
};

const HUES: [RegExp, number][] = [
  [/\b(warm|sun|gold|amber|wood|oak|walnut|candle)/i, 34],
  [/\b(cool|cold|blue|sea|ocean|ice|navy)/i, 212],
  [/\b(green|plant|forest|olive|sage|garden)/i, 120],
  [/\b(red|brick|terracotta|rust)/i, 12],
  [/\b(pink|rose|blush)/i, 340],
  [/\b(purple|violet|lilac)/i, 275],
];
const BRIGHT = /\b(bright|light|white|airy|day|morning|sunny)/i;
const DARK = /\b(dark|night|evening|moody|black|dim)/i;

/** Returns the mood that a few known words in a prompt ask for, so `warmer light` really looks warmer and lighter. */
export function moodOf(prompt: string): Mood {
  const hue = HUES.find(([words]) => words.test(prompt))?.[1] ?? null;
  return { hue, light: Number(BRIGHT.test(prompt)) - Number(DARK.test(prompt)) };
}

/** Chooses a room's colors by mood, with a random hue if the mood has none. */
export function choosePalette(mood: Mood, roll: Rolls): Palette {
  const hue = mood.hue === null ? roll() * 360 : mood.hue + between(roll, -10, 10);
  const accent = hue + between(roll, 140, 220);
  const lift = mood.light * 18;
  return {
    wall: hsl(hue, between(roll, 14, 34), 66 + lift),
    side: hsl(hue, between(roll, 14, 30), 54 + lift),
    ceiling: hsl(hue, 12, 80 + lift * 0.8),
    floor: hsl(hue + between(roll, -25, 25), between(roll, 18, 40), 40 + lift),
    sky: mood.light < 0 ? hsl(225, 45, 24) : hsl(hue + 180, 40, 86),
    glow: mood.light < 0 ? hsl(42, 95, 70) : hsl(48, 90, 92),
    main: hsl(hue + between(roll, -40, 40), between(roll, 25, 55), 42 + lift * 0.6),
    accent: hsl(accent, between(roll, 40, 70), 52),
    dark: hsl(hue, 18, 20),
  };
}

/** Returns a CSS color. `saturation` and `lightness` are in percent. `lightness` is clamped to the range 8 to 95. */
export function hsl(hue: number, saturation: number, lightness: number): string {
  const light = Math.min(Math.max(lightness, 8), 95);
  return `hsl(${(((hue % 360) + 360) % 360).toFixed(1)}, ${saturation.toFixed(1)}%, ${light.toFixed(1)}%)`;
}
