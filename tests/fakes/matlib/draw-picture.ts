import sharp, { type Sharp } from 'sharp';
import { shadeOf } from '@/tests/fakes/matlib/draw-surface';
import type { FakeAsset } from '@/tests/fakes/matlib/make-library';
import { createNoise, layered } from '@/tests/fakes/matlib/noise';
import { outlineOf } from '@/tests/fakes/matlib/outlines';
import { hexHash } from '@/tests/fakes/matlib/random';
import type { Style } from '@/tests/fakes/matlib/vocabulary';

type Rgb = [number, number, number];
type Point = (x: number, y: number) => Rgb;

export function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = Math.min(1, Math.max(0, share));
  return [0, 1, 2].map((i) => (from[i] ?? 0) * (1 - part) + (to[i] ?? 0) * part) as Rgb;
}

function surface(color: string, style: Style, seed: number): Point {
  const base = rgbOf(color);
  const shade = shadeOf(style, seed);
  // Veins in dark stone are light.
  const isDarkStone = style === 'veins' && Math.max(...base) < 110;
  return (x, y) => {
    const light = shade(x, y);
    if (isDarkStone) return mix(base, [236, 232, 224], (1 - light) * 1.6);
    return [base[0] * light, base[1] * light, base[2] * light];
  };
}

function sky(colors: string[], seed: number): Point {
  const [zenith, horizon, ground] = colors.map(rgbOf);
  if (!zenith || !horizon || !ground) throw new Error('a sky has three colors');
  const clouds = layered(createNoise(seed));
  const hills = createNoise(seed + 5);
  const sun = { x: (seed % 97) / 97, y: 0.35 };
  return (x, y) => {
    const skyline = 0.58 + 0.09 * hills(x * 5, 1) + 0.03 * hills(x * 19, 2);
    if (y > skyline) return mix(ground, [0, 0, 0], (y - skyline) * 0.8 + 0.2 * hills(x * 40, y * 40));
    const open = mix(mix(zenith, horizon, y / 0.62), [255, 255, 255], (clouds(x * 5, y * 9) - 0.55) * 1.4);
    return mix(open, [255, 244, 214], 0.9 - Math.hypot(x - sun.x, (y - sun.y) * 0.8) * 7);
  };
}

async function fromPoints(point: Point, width: number, height: number): Promise<Sharp> {
  const data = Buffer.alloc(width * height * 3);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const rgb = point(column / width, row / height);
      const at = (row * width + column) * 3;
      for (let i = 0; i < 3; i += 1) data[at + i] = Math.min(255, Math.max(0, Math.round(rgb[i] ?? 0)));
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

function model(look: FakeAsset['look'], size: number): Sharp {
  const [color = '#888888'] = look.colors;
  const darker = `#${rgbOf(color)
    .map((byte) =>
      Math.round(byte * 0.72)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
  const outline = outlineOf(look.kind, color, darker);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="${size}" height="${size}">
    <defs><linearGradient id="l" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#fff" stop-opacity=".22"/><stop offset="1" stop-color="#000" stop-opacity=".25"/></linearGradient></defs>
    <ellipse cx="50" cy="91" rx="40" ry="5" fill="#000" opacity=".16"/>${outline}</svg>`;
  return sharp(Buffer.from(svg));
}

/**
 * Draws the image of an asset; the same asset always yields the same image. Textures and HDRIs fill the image, and a
 * model has a transparent background.
 */
export async function drawPicture(asset: FakeAsset, size: number): Promise<Sharp> {
  const seed = Number.parseInt(hexHash(asset.id).slice(0, 7), 16);
  const { kind, colors } = asset.look;
  if (asset.type === 'models') return model(asset.look, size);
  if (asset.type === 'hdris') return fromPoints(sky(colors, seed), size, size / 2);
  return fromPoints(surface(colors[0] ?? '#888888', kind as Style, seed), size, size);
}
