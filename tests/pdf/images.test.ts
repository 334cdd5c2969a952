import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { inflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exportOptions, projectDocument } from '@/lib/document/schema';
import { planSheets } from '@/lib/document/sheets';
import { readDerivative } from '@/lib/pdf/images/derivative-file';
import { derivativeStore } from '@/lib/pdf/images/derivative-store';
import { type DerivedImage, deriveImage } from '@/lib/pdf/images/derive-image';
import { printImage } from '@/lib/pdf/print-image';
import { printedImages } from '@/lib/pdf/printed-images';
import { photo } from '@/tests/pdf/support/documents';
import { makeDataDir } from '@/tests/setup/temporary-dir';

const isMade = (value: DerivedImage | string): DerivedImage => {
  if (typeof value === 'string') throw new Error(value);
  return value;
};
const colourAt = async (bytes: Uint8Array, x: number, y: number) => {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)];
};

describe('deriveImage', () => {
  test('a derived image is as wide as requested, never wider than the original, and a JPEG of three components', async () => {
    const { bytes } = await photo(800, 400);
    const made = isMade(await deriveImage(bytes, 301.2));
    expect([made.width, made.height, made.mask]).toEqual([302, 151, null]);
    expect(isMade(await deriveImage(bytes, 5000)).width).toBe(800);
    const grey = await sharp(bytes).greyscale().jpeg().toBuffer();
    const info = await sharp(isMade(await deriveImage(grey, 100)).jpeg).metadata();
    expect([info.format, info.channels, info.space]).toEqual(['jpeg', 3, 'srgb']);
  });

  test('a fine derived image has the full color resolution and is closer to its original', async () => {
    const { bytes } = await photo(400, 300);
    const original = await sharp(bytes).raw().toBuffer();
    const errorOf = async (jpeg: Uint8Array) => {
      const pixels = await sharp(jpeg).raw().toBuffer();
      return pixels.reduce((sum, value, at) => sum + Math.abs(value - (original[at] ?? 0)), 0);
    };
    const [plain, fine] = [
      isMade(await deriveImage(bytes, 400)),
      isMade(await deriveImage(bytes, 400, true)),
    ];
    expect((await sharp(plain.jpeg).metadata()).chromaSubsampling).toBe('4:2:0');
    expect((await sharp(fine.jpeg).metadata()).chromaSubsampling).toBe('4:4:4');
    expect(await errorOf(fine.jpeg)).toBeLessThan((await errorOf(plain.jpeg)) / 2);
  });

  test('a derived image is upright', async () => {
    const { bytes } = await photo(80, 40);
    const turned = await sharp(bytes).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const made = isMade(await deriveImage(turned, 1000));
    expect([made.width, made.height]).toEqual([40, 80]);
    expect((await sharp(made.jpeg).metadata()).orientation).toBeUndefined();
  });

  test('a derived image keeps the colors of CMYK and wide color spaces', async () => {
    const red = { create: { width: 32, height: 32, channels: 3, background: '#c83c28' } } as const;
    for (const file of [
      await sharp(red).toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer(),
      await sharp(red).toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 100 }).toBuffer(),
      await sharp(red).withIccProfile('p3').png().toBuffer(),
      await sharp(red).toColourspace('rgb16').png().toBuffer(),
    ]) {
      const made = isMade(await deriveImage(file, 32));
      const [r = 0, g = 0, b = 0] = await colourAt(made.jpeg, 16, 16);
      expect(Math.max(Math.abs(r - 200), Math.abs(g - 60), Math.abs(b - 40))).toBeLessThan(32);
    }
  });

  test('a derived image keeps its transparency, and its colors do not bleed', async () => {
    const { bytes, width } = await photo(120, 80, { seeThrough: true });
    const made = isMade(await deriveImage(bytes, width));
    expect(made.mask).not.toBeNull();
    const dataDir = await makeDataDir();
    try {
      const store = derivativeStore(dataDir.path);
      const target = { folder: await store.makeFolder(), name: '0' };
      const file = await store.place('ab'.repeat(32), target, async () => made);
      if (typeof file === 'string') throw new Error(file);
      const { body, contentType } = await printImage(file);
      expect(contentType).toBe('image/png');
      const alpha = (image: Uint8Array) => sharp(image).extractChannel('alpha').raw().toBuffer();
      expect((await alpha(body)).equals(await alpha(bytes))).toBe(true);
    } finally {
      await dataDir.remove();
    }
    const opaque = await sharp(bytes).removeAlpha().ensureAlpha().png().toBuffer();
    expect(isMade(await deriveImage(opaque, 60)).mask).toBeNull();
  });

  test('a derived image has the colors of its translucent parts, and their mean where it is fully transparent', async () => {
    const shown = (width: number, background: { r: number; g: number; b: number; alpha: number }) =>
      sharp({ create: { width, height: 64, channels: 4, background } })
        .png()
        .toBuffer();
    const [faint, solid] = [
      await shown(64, { r: 200, g: 40, b: 60, alpha: 2 / 255 }),
      await shown(64, { r: 40, g: 120, b: 60, alpha: 1 }),
    ];
    const image = await sharp({
      create: { width: 192, height: 64, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .composite([
        { input: faint, left: 0, top: 0 },
        { input: solid, left: 64, top: 0 },
      ])
      .png()
      .toBuffer();
    const made = isMade(await deriveImage(image, 192));
    const mask = inflateSync(made.mask ?? Buffer.alloc(0));
    expect([mask.length, mask[10], mask[100], mask[180]]).toEqual([192 * 64, 2, 255, 0]);
    const near = (color: number[]) => color.map((value) => expect.closeTo(value, -0.7));
    expect(await colourAt(made.jpeg, 30, 30)).toEqual(near([200, 40, 60]));
    expect(await colourAt(made.jpeg, 96, 30)).toEqual(near([40, 120, 60]));
    expect(await colourAt(made.jpeg, 170, 30)).toEqual(near([40, 120, 60]));
  });

  test.each([
    ['white', 255, 255, 255],
    ['grey', 128, 128, 128],
    ['ochre', 200, 90, 30],
  ])(
    'a derived image of a thin %s line has its color in all transparent parts',
    { tags: ['extended'] },
    async (_name, r, g, b) => {
      const [width, height] = [3000, 2000];
      const pixels = Buffer.alloc(width * height * 4);
      // Draw a line that covers 0.05 percent of the image.
      for (let x = 0; x < width; x += 1) {
        const y = Math.round(height / 2 + Math.sin(x / 200) * 300);
        pixels.set([r, g, b, 255], (y * width + x) * 4);
      }
      const file = await sharp(pixels, { raw: { width, height, channels: 4 } })
        .png()
        .toBuffer();
      const made = isMade(await deriveImage(file, width));
      const near = [r, g, b].map((value) => expect.closeTo(value, -0.7));
      expect(await colourAt(made.jpeg, 10, 10)).toEqual(near);
      expect(await colourAt(made.jpeg, 1500, 1900)).toEqual(near);
    },
  );

  test('a file with too many pixels or that is not an image is refused', { tags: ['extended'] }, async () => {
    const bomb = await sharp({ create: { width: 16_000, height: 16_000, channels: 3, background: '#000' } })
      .png({ compressionLevel: 1 })
      .toBuffer();
    expect(await deriveImage(bomb, 100)).toBe('too_many_pixels');
    expect(await deriveImage(Buffer.from('no image'), 100)).toBe('unreadable');
    const { bytes } = await photo(80, 40);
    expect(await deriveImage(bytes.subarray(0, 30), 100)).toBe('unreadable');
  });
});

describe('the store of derived images', () => {
  let dataDir: Awaited<ReturnType<typeof makeDataDir>>;
  beforeEach(async () => {
    dataDir = await makeDataDir();
  });
  afterEach(() => dataDir.remove());
  const key = (n: number) => n.toString(16).padStart(2, '0').repeat(32);
  const image = (size: number): DerivedImage => ({
    width: 1,
    height: 2,
    jpeg: Buffer.alloc(size, 7),
    mask: null,
  });
  const keptIn = async (folder: string) =>
    (await readdir(folder, { recursive: true })).filter(
      (name) => /[/\\]/.test(name) && !name.startsWith('export-'),
    );

  test('the store derives an image once, however many exports need it at once, and gives each its own file', async () => {
    const store = derivativeStore(join(dataDir.path, 'images'));
    const folder = await store.makeFolder();
    let made = 0;
    const make = async () => {
      made += 1;
      return image(1000);
    };
    const files = await Promise.all(
      Array.from({ length: 8 }, (_, n) => store.place(key(1), { folder, name: String(n) }, make)),
    );
    expect(made).toBe(1);
    for (const file of files) {
      if (typeof file === 'string') throw new Error(file);
      expect(file).toMatchObject({ width: 1, height: 2, jpegBytes: 1000, maskBytes: 0 });
      expect((await buffer(readDerivative(file, 'jpeg'))).equals(Buffer.alloc(1000, 7))).toBe(true);
    }
    // A new store, like that of another process, finds the derived image too.
    const other = derivativeStore(join(dataDir.path, 'images'));
    await other.place(key(1), { folder: await other.makeFolder(), name: '0' }, make);
    expect(made).toBe(1);
  });

  test('an image is still made for other exports when the export that was making it is canceled', async () => {
    const store = derivativeStore(join(dataDir.path, 'images'));
    const folder = await store.makeFolder();
    const cancelDrag = Promise.withResolvers<DerivedImage>();
    const begun = Promise.withResolvers<void>();
    const canceled = store.place(key(1), { folder, name: '0' }, () => {
      begun.resolve();
      return cancelDrag.promise;
    });
    // Start the other calls only after the first call has begun to make the image.
    await begun.promise;
    const own = [1, 2].map((n) => store.place(key(1), { folder, name: String(n) }, async () => image(n)));
    const outcomes = Promise.allSettled([canceled, ...own]);
    // By the time another image has been made, both calls are waiting.
    await store.place(key(2), { folder, name: '3' }, async () => image(3));
    cancelDrag.reject(new Error('canceled'));
    const [first, ...others] = await outcomes;
    expect(first).toMatchObject({ status: 'rejected', reason: new Error('canceled') });
    for (const other of others) expect(other).toMatchObject({ value: { width: 1, height: 2 } });
  });

  test('the store stays below its limit by deleting the least recently used images, but not those that an export still reads', async () => {
    const folder = join(dataDir.path, 'images');
    const store = derivativeStore(folder, 10_000);
    const own = await store.makeFolder();
    const first = await store.place(key(0), { folder: own, name: '0' }, async () => image(3000));
    for (const n of [1, 2, 3]) {
      // Backdate the last uses; the second image is the most recently used.
      const ages = [300, 100, 200];
      for (const [at, name] of (await keptIn(folder)).sort().entries()) {
        const then = new Date(Date.now() - (ages[at] ?? 0) * 1000);
        await utimes(join(folder, name), then, then);
      }
      await store.place(key(n), { folder: own, name: String(n) }, async () => image(3000));
    }
    expect((await keptIn(folder)).sort()).toEqual([1, 3].map((n) => join(key(n).slice(0, 2), key(n))));
    if (typeof first === 'string') throw new Error(first);
    expect((await buffer(readDerivative(first, 'jpeg'))).length).toBe(3000);
  });

  test('the store makes a truncated image again, and deletes the leftovers of killed processes', async () => {
    const folder = join(dataDir.path, 'images');
    const store = derivativeStore(folder);
    const own = await store.makeFolder();
    await store.place(key(1), { folder: own, name: '0' }, async () => image(500));
    const path = join(folder, key(1).slice(0, 2), key(1));
    await writeFile(path, (await readFile(path)).subarray(0, 100));
    const again = await store.place(key(1), { folder: own, name: '1' }, async () => image(500));
    expect(again).toMatchObject({ jpegBytes: 500 });

    const left = [join(folder, 'export-killed'), join(folder, 'aa', 'x.partial')];
    await mkdir(left[0] ?? '');
    await mkdir(join(folder, 'aa'));
    await writeFile(left[1] ?? '', 'half');
    const before = new Date(Date.now() - 3_600_000);
    for (const each of left) await utimes(each, before, before);
    const later = derivativeStore(folder);
    await later.place(key(2), { folder: await later.makeFolder(), name: '0' }, async () => image(10));
    for (const each of left) await expect(stat(each)).rejects.toThrow('ENOENT');
  });

  test('the store returns why an image cannot be made, and tries again next time', async () => {
    const store = derivativeStore(join(dataDir.path, 'images'));
    const folder = await store.makeFolder();
    expect(await store.place(key(1), { folder, name: '0' }, async () => 'unreadable')).toBe('unreadable');
    expect(await store.place(key(1), { folder, name: '0' }, async () => image(5))).toMatchObject({
      jpegBytes: 5,
    });
  });
});

test('the reported progress counts each image once', async () => {
  const dataDir = await makeDataDir();
  const uses = ['first', 'second', 'first', 'missing'];
  const elements = uses.map((path, n) => ({ id: `${n}`, type: 'image', x: 0, y: 0, w: 50, h: 50, path }));
  const document = projectDocument.parse({ version: 0, pages: [{ id: 'page', elements }] });
  const { bytes } = await photo(80, 40);
  const plan = planSheets(document, '', exportOptions.parse({}));
  const reported: number[][] = [];
  const files = ['first', 'second', 'missing'].map((path) => ({ key: path, path, width: 80, height: 40 }));
  const images = printedImages(plan, files, {
    quality: 'print',
    maxBytes: Number.POSITIVE_INFINITY,
    readFile: async (path) => (path === 'missing' ? null : bytes),
    store: derivativeStore(dataDir.path),
    folder: dataDir.path,
    report: (...counts) => reported.push(counts),
    signal: new AbortController().signal,
  });
  await images.ready(plan.sheets);
  await expect.poll(() => reported.at(-1)).toEqual([3, 3]);
  expect(reported.map(([, total]) => total)).toEqual([3, 3, 3, 3]);
  expect(reported[0]).toEqual([0, 3]);
  await dataDir.remove();
});

test('drawings are printed as vectors until all their uses together are too large', async () => {
  const dataDir = await makeDataDir();
  const image = { type: 'image', x: 0, y: 0, w: 50, h: 50 } as const;
  const elements = ['large', 'small'].flatMap((path) =>
    Array.from({ length: 40 }, (_, n) => ({ ...image, id: `${path}-${n}`, path })),
  );
  const document = projectDocument.parse({ version: 0, pages: [{ id: 'page', elements }] });
  const files = ['large', 'small', 'photo'].map((path) => ({ key: path, path, width: 100, height: 100 }));
  const images = printedImages(planSheets(document, '', exportOptions.parse({})), files, {
    quality: 'print',
    maxBytes: Number.POSITIVE_INFINITY,
    readFile: async () => null,
    store: derivativeStore(dataDir.path),
    folder: dataDir.path,
    drawings: new Map([
      ['large', 'x'.repeat(250_000)],
      ['small', '<svg/>'],
    ]),
    signal: new AbortController().signal,
  });
  expect([...images.drawings().keys()]).toEqual(['small']);
  await images.ready(planSheets(document, '', exportOptions.parse({})).sheets);
  await dataDir.remove();
});
