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

test('an image has the requested size and type, and its thumbnail fits in 320 pixels, new or refined', async () => {
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

test('an input image in a refinement covers the one in its parent', async () => {
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
