import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { dominantColor } from '@/lib/matlib/color/dominant-color';
import { swatchOf } from '@/lib/matlib/color/swatch-of';
import { searchItem, swatches, swatchNames } from '@/lib/matlib/schema';
import { makeLibrary } from '@/tests/fakes/matlib/make-library';
import { makeThumbnail } from '@/tests/fakes/matlib/sample-file';
import { eventually, type Fixture, search, startFixture } from '@/tests/matlib/support/library-fixture';
import { MINUTE } from '@/tests/matlib/support/test-clock';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterEach(() => fixture.reset());
afterAll(() => fixture.stop());

function rgb(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function isNear(a: string | null, b: string): boolean {
  const [one, other] = [rgb(a ?? '#000000'), rgb(b)];
  return one.every((byte, i) => Math.abs(byte - (other[i] ?? 0)) <= 24);
}

test.each(swatchNames)('the reference color of %s belongs to that swatch', (name) => {
  expect(swatchOf(swatches[name])).toBe(name);
});

test.each([
  ['#ffffff', 'white'],
  ['#000000', 'black'],
  ['#808080', 'grey'],
  ['#ff0000', 'red'],
  ['#00ff00', 'green'],
  ['#0000ff', 'blue'],
  ['#ffff00', 'yellow'],
  ['#ffa500', 'orange'],
  ['#800080', 'purple'],
  ['#ffc0cb', 'pink'],
  ['#008080', 'teal'],
  ['#8b4513', 'brown'],
  ['#f5deb3', 'beige'],
  ['#5d3d28', 'brown'],
  ['#93462f', 'red'],
  // The next two are the colors of white tiles and of plaster in photographs.
  ['#ccc5b5', 'white'],
  ['#cfcdc8', 'white'],
  ['#6d1a36', 'red'],
  ['#722f37', 'red'],
  ['#cfc5b0', 'beige'],
  ['#b9b8b4', 'grey'],
])('the color %s belongs to the swatch %s', (hex, name) => {
  expect(swatchOf(hex)).toBe(name);
});

test('the dominant color is the most frequent one, not the mean, and transparent parts do not count', async () => {
  const box = (background: string | { r: number; g: number; b: number; alpha: number }, width: number) =>
    sharp({ create: { width, height: 100, channels: 4, background } })
      .png()
      .toBuffer();
  const picture = await sharp(await box('#2b3a5e', 100))
    .composite([{ input: await box('#e0bd3c', 35), left: 0, top: 0 }])
    .png()
    .toBuffer();
  expect(isNear(await dominantColor(picture), '#2b3a5e')).toBe(true);
  const free = await sharp(await box({ r: 255, g: 255, b: 255, alpha: 0 }, 100))
    .composite([{ input: await box('#a8342e', 20), left: 40, top: 0 }])
    .png()
    .toBuffer();
  expect(isNear(await dominantColor(free), '#a8342e')).toBe(true);
  expect(await dominantColor(await box({ r: 1, g: 2, b: 3, alpha: 0 }, 10))).toBeNull();
  await expect(dominantColor(Buffer.from('no picture'))).rejects.toThrow();
});

test('the dominant colors of the drawn images are the colors that they were drawn in', async () => {
  const { textures } = makeLibrary();
  const some = [...textures.values()].filter((_, i) => i % 60 === 0);
  const shares = await Promise.all(
    some.map(async (asset) => {
      const { bytes } = await makeThumbnail(asset, 256, 'webp');
      return isNear(await dominantColor(bytes), asset.look.colors[0] ?? '');
    }),
  );
  expect(shares.filter(Boolean).length).toBeGreaterThanOrEqual(some.length * 0.9);
});

test('colors are computed in the background, once, and outlive the process', {
  tags: ['extended'],
}, async () => {
  // Use models, because the fake draws them faster than textures.
  const type = 'models';
  const dataDir = await fixture.dataDir();
  const library = await fixture.library({ dataDir, colorsAtOnce: 4 });
  const first = await search(library, { type, facets: '1' });
  expect(first.results.every(({ color }) => color === null)).toBe(true);
  expect(first.facets).toMatchObject({ colors: {}, colors_unknown: first.total });
  expect(await search(library, { type, color: 'green' })).toMatchObject({ total: 0 });
  await library.colors.idle();
  const { counts } = await fixture.seen();
  expect(counts.image).toBe(first.total);

  const green = await search(library, { type, color: 'green', facets: '1' });
  expect(green.total).toBeGreaterThan(5);
  expect(green.facets?.colors_unknown).toBe(0);
  expect(green.total).toBe(green.facets?.colors.green);
  for (const one of green.results) {
    searchItem.parse(one);
    expect(swatchOf(one.color ?? '')).toBe('green');
  }
  expect(JSON.parse(await readFile(join(dataDir, 'matlib', 'colors.json'), 'utf8'))).toMatchObject({
    form: 1,
  });

  const next = await fixture.library({ dataDir, colorsAtOnce: 4 });
  expect((await search(next, { type, color: 'green' })).total).toBe(green.total);
  await next.colors.idle();
  expect((await fixture.seen()).counts.image).toBe(counts.image);
});

test('a material whose thumbnail does not exist has no color, but is not counted as being analyzed', async () => {
  const dataDir = await fixture.dataDir();
  const { catalogue } = await (await fixture.library({ dataDir })).catalogues.get('models');
  const [missing, ...others] = [...catalogue.assets.values()].map(({ item }) => item);
  const colors = Object.fromEntries(others.map(({ thumbnail_url }) => [thumbnail_url, '#7a4f30']));
  await mkdir(join(dataDir, 'matlib'), { recursive: true });
  await writeFile(join(dataDir, 'matlib', 'colors.json'), JSON.stringify({ form: 1, colors }));
  await fixture.behave({ hidden: [missing?.id ?? ''] });
  const library = await fixture.library({ dataDir, colorsAtOnce: 1 });
  const facetsNow = async () => (await search(library, { type: 'models', facets: '1' })).facets;
  expect(await facetsNow()).toMatchObject({ colors: { brown: others.length }, colors_unknown: 1 });
  await library.colors.idle();
  expect(await facetsNow()).toMatchObject({ colors: { brown: others.length }, colors_unknown: 0 });
  expect((await fixture.seen()).counts.image).toBe(1);
});

test('an image server that fails is not called for a while, and search keeps working', async () => {
  await fixture.behave({ mode: 'error', on: ['image'] });
  const library = await fixture.library({ colorsAtOnce: 2 });
  expect((await search(library)).total).toBeGreaterThan(200);
  await library.colors.idle();
  const tried = (await fixture.seen()).counts.image;
  expect(tried).toBeLessThanOrEqual(6);
  await search(library, { q: 'oak' });
  await library.colors.idle();
  expect((await fixture.seen()).counts.image).toBe(tried);
  fixture.clock.advance(6 * MINUTE);
  await search(library, { q: 'pine' });
  await eventually(async () => expect((await fixture.seen()).counts.image).toBeGreaterThan(tried));
  await library.colors.idle();
});
