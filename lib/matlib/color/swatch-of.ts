import type { Swatch } from '../schema';
import { oklabOf } from './oklab';

const NEUTRAL_CHROMA = 0.022;
const EARTHY_CHROMA = 0.1;
/**
 * The upper limit for the chroma of a warm white. In photos, white paint and tiles have a warm tint and some shading.
 * Therefore a warm white may have more chroma and less lightness than a neutral white.
 */
const WARM_WHITE_CHROMA = 0.026;

// Ranges of the hue angle in OKLab. Each entry has the upper limit of a range in degrees, and the range's swatch. Many
// materials have muted colors, so `swatchOf` classifies neutral and earthy colors before it uses these ranges.
const hues: [number, Swatch][] = [
  [15, 'pink'],
  [40, 'red'],
  [75, 'orange'],
  [112, 'yellow'],
  [160, 'green'],
  [215, 'teal'],
  [285, 'blue'],
  [335, 'purple'],
  [361, 'pink'],
];

/** Returns the swatch for a color `#rrggbb`. */
export function swatchOf(hex: string): Swatch {
  const rgb = Number.parseInt(hex.slice(1), 16);
  const { L, a, b } = oklabOf(rgb >> 16, (rgb >> 8) & 255, rgb & 255);
  const chroma = Math.hypot(a, b);
  const hue = ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;
  if (L < 0.22) return 'black';
  const isEarthy = hue >= 40 && hue < 112;
  if (isEarthy && chroma > 0.012 && chroma < WARM_WHITE_CHROMA && L > 0.81) return 'white';
  if (chroma < NEUTRAL_CHROMA) return L > 0.84 ? 'white' : L < 0.3 ? 'black' : 'grey';
  if (isEarthy && chroma < EARTHY_CHROMA) return L > 0.68 ? 'beige' : 'brown';
  if (isEarthy && L <= 0.55) return 'brown';
  if (hue >= 20 && hue < 40 && L < 0.42 && chroma < 0.1) return 'brown';
  // A dark pink is wine red, so it counts as red.
  if ((hue < 15 || hue >= 345) && L < 0.5) return 'red';
  if (hue < 40 && L > 0.68) return 'pink';
  return hues.find(([end]) => hue < end)?.[1] ?? 'pink';
}
