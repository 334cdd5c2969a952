import { type Oklab, oklabOf } from '../color/oklab';
import { swatchOf } from '../color/swatch-of';
import type { ColorMeaning } from './lexicon';

/** Two colors count as close only if their OKLab distance is less than this. */
const REACH = 0.16;
/** Lightness counts less than hue and chroma, because lighting differs between photos. */
const LIGHTNESS_WEIGHT = 0.6;
/** The weight of a measured color: less than that of a word in the name, but more than that of a tag. */
const COLOR_WEIGHT = 0.75;
const OBJECT_WEIGHT = 0.6;
const MAX_KNOWN = 20_000;

type Seen = { lab: Oklab; swatch: string };
const seen = new Map<string, Seen>();

/** Returns the OKLab values and the swatch of a color `#rrggbb`, and caches them. */
function seenOf(hex: string): Seen {
  const known = seen.get(hex);
  if (known) return known;
  const value = Number.parseInt(hex.slice(1), 16);
  const color = {
    lab: oklabOf(value >> 16, (value >> 8) & 255, value & 255),
    swatch: swatchOf(hex),
  };
  if (seen.size >= MAX_KNOWN) seen.clear();
  seen.set(hex, color);
  return color;
}

/** Returns how well a measured color `#rrggbb` matches a named color, from 0 to 0.75. */
export function colorFit(hex: string, { labs, swatch, isThing }: ColorMeaning): number {
  const { lab: own, swatch: ownSwatch } = seenOf(hex);
  let apart = REACH;
  for (const { L, a, b } of labs) {
    apart = Math.min(apart, Math.hypot((own.L - L) * LIGHTNESS_WEIGHT, own.a - a, own.b - b));
  }
  const near = Math.max(0, 1 - apart / REACH);
  // A color name that stands for a swatch matches every color in that swatch. It matches a color in another swatch only
  // if that color is close to the named color or one of its shades.
  const fit = swatch === null ? near : ownSwatch === swatch ? 0.7 + 0.3 * near : 0.5 * near;
  return fit * COLOR_WEIGHT * (isThing ? OBJECT_WEIGHT : 1);
}

/** Returns how well a measured color matches `light` or `dark`, from 0 to 0.75. */
export function lightnessFit(hex: string, lightness: 'light' | 'dark'): number {
  const { L } = seenOf(hex).lab;
  const share = lightness === 'light' ? (L - 0.6) / 0.15 : (0.5 - L) / 0.15;
  return Math.max(0, Math.min(1, share)) * COLOR_WEIGHT;
}
