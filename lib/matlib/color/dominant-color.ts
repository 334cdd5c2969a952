import sharp from 'sharp';
import { type Oklab, oklabOf } from './oklab';

const SIDE = 40;
const MAX_PIXELS = 4096 * 4096;
const SOLID = 128;
const LIGHTNESS_STEP = 0.1;
const TINT_STEP = 0.04;
const NEAR = 0.1;

type Pixel = { rgb: [number, number, number]; lab: Oklab };

function bin({ L, a, b }: Oklab): string {
  return [L / LIGHTNESS_STEP, a / TINT_STEP, b / TINT_STEP].map(Math.round).join();
}

function average(numbers: number[]): number {
  return numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}

function hexOf(pixels: Pixel[]): string {
  const bytes = ([0, 1, 2] as const).map((channel) =>
    Math.round(average(pixels.map(({ rgb }) => rgb[channel]))),
  );
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * Returns the dominant color of an image as `#rrggbb`. The dominant color is the mean of all pixels close to the most
 * frequent color. Ignores pixels that are more than half transparent. Returns null if the image has no other pixels.
 * Throws if the bytes are not an image or the image has more than `MAX_PIXELS` pixels.
 */
export async function dominantColor(image: Uint8Array): Promise<string | null> {
  const data = await sharp(image, { limitInputPixels: MAX_PIXELS })
    .resize(SIDE, SIDE, { fit: 'fill' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer();
  const cells = new Map<string, Pixel[]>();
  const pixels: Pixel[] = [];
  for (let at = 0; at + 3 < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
    if (alpha < SOLID) continue;
    const pixel: Pixel = { rgb: [red, green, blue], lab: oklabOf(red, green, blue) };
    pixels.push(pixel);
    const cell = cells.get(bin(pixel.lab));
    if (cell) cell.push(pixel);
    else cells.set(bin(pixel.lab), [pixel]);
  }
  const fullest = [...cells.values()].sort((a, b) => b.length - a.length)[0];
  if (!fullest) return null;
  const [L, a, b] = (['L', 'a', 'b'] as const).map((part) => average(fullest.map(({ lab }) => lab[part])));
  const near = pixels.filter(
    ({ lab }) => Math.hypot((lab.L - (L ?? 0)) / 2, lab.a - (a ?? 0), lab.b - (b ?? 0)) < NEAR,
  );
  return hexOf(near.length > 0 ? near : fullest);
}
