// @module-tag extended
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { type Drawing, drawThumb, drawVariant } from '@/tests/fakes/workflow/drawing/draw-variant';

const side = 1024;
const room: Drawing = {
  prompt: 'a quiet lobby',
  seed: 7,
  run: 1,
  width: side,
  height: side,
  materials: ['oak_01'],
  parent: null,
  input: null,
  mask: null,
};

test('a new or refined image has the requested size and type, and its thumbnail fits in 320 pixels', async () => {
  const parent = await drawVariant(room, 'image/jpeg');
  for (const drawing of [room, { ...room, run: 2, parent }]) {
    for (const type of ['image/png', 'image/jpeg', 'image/webp'] as const) {
      const picture = await drawVariant(drawing, type);
      expect(await sharp(picture).metadata()).toMatchObject({
        format: type.slice(6),
        width: side,
        height: side,
      });
      expect(await sharp(await drawThumb(picture)).metadata()).toMatchObject({ width: 320, height: 320 });
    }
  }
});

test('a material swap covers only the named part of the input image, in the color of the material', async () => {
  const input = await drawVariant(room, 'image/png');
  const raw = (picture: Buffer) => sharp(picture).removeAlpha().raw().toBuffer();
  const swapTo = async (name: string) => {
    const prompt = `Replace the material of the floor with ${name}. Keep everything else unchanged.`;
    return raw(await drawVariant({ ...room, prompt, materials: [name], input }, 'image/png'));
  };
  const [before, oak, cork] = [await raw(input), await swapTo('Oak'), await swapTo('Cork')];
  const row = (picture: Buffer, part: number) => {
    const from = Math.floor(side * part) * side * 3;
    return picture.subarray(from, from + side * 3);
  };
  for (const swapped of [oak, cork]) {
    expect(row(swapped, 0.3).equals(row(before, 0.3))).toBe(true);
    expect(row(swapped, 0.75).equals(row(before, 0.75))).toBe(false);
  }
  expect(row(oak, 0.75).equals(row(cork, 0.75))).toBe(false);
});

test('a material swap with a mask covers only the white area of the mask, in the color of the material', async () => {
  const input = await drawVariant(room, 'image/png');
  const black = { create: { width: side, height: side, channels: 3, background: '#000' } } as const;
  const white = { create: { width: side, height: side / 2, channels: 3, background: '#fff' } } as const;
  const mask = await sharp(black)
    .composite([{ input: white, left: 0, top: side / 2 }])
    .png()
    .toBuffer();
  const halves = async (picture: Buffer) => {
    const pixels = await sharp(picture).removeAlpha().raw().toBuffer();
    return [pixels.subarray(0, pixels.length / 2), pixels.subarray(pixels.length / 2)];
  };
  const swapTo = async (name: string) => {
    const prompt = `Replace the material of the marked region with ${name}. Keep everything else unchanged.`;
    return halves(await drawVariant({ ...room, prompt, materials: [name], input, mask }, 'image/png'));
  };
  const [[above, below], oak, cork] = [await halves(input), await swapTo('Oak'), await swapTo('Cork')];
  expect([oak[0], cork[0]]).toEqual([above, above]);
  expect(below && oak[1]?.equals(below)).toBe(false);
  expect(cork[1] && oak[1]?.equals(cork[1])).toBe(false);
});

test('the input image in a refinement covers the input image in its parent', async () => {
  const input = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#ff00ff' } })
    .png()
    .toBuffer();
  const width = async (picture: Buffer) => {
    const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const line = Math.floor(info.height * 0.3) * info.width;
    const isMagenta = (x: number) => {
      const [r = 0, g = 0, b = 0] = data.subarray((line + x) * 3, (line + x) * 3 + 3);
      return r > 200 && g < 60 && b > 200;
    };
    return Array.from({ length: info.width }, (_, x) => x).filter(isMagenta).length / info.width;
  };
  const first = await drawVariant({ ...room, input }, 'image/png');
  const second = await drawVariant({ ...room, seed: 8, run: 2, parent: first, input }, 'image/png');
  expect(await width(first)).toBeCloseTo(0.36, 1);
  expect(await width(second)).toBeCloseTo(0.36, 1);
});
