import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { imageEnding } from '@/lib/storage/image-file';
import { stripMetadata } from '@/lib/storage/strip-metadata/strip-metadata';

const SECRET = 'A secret lobby at 47.3769 N';
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>${SECRET}</a></x:xmpmeta>`;
const orientations = [1, 2, 3, 4, 5, 6, 7, 8];
const WIDTH = 45;
const HEIGHT = 31;

/** Returns a picture without symmetry, so any rotation or mirroring changes it. */
function picture(channels: 3 | 4 = 3, seed = 7): Sharp {
  const pixels = Buffer.from(
    Array.from({ length: WIDTH * HEIGHT * channels }, (_, at) => (at * at * seed + at * 3) % 251),
  );
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels } });
}

/** Adds a color profile, and the secret as EXIF and XMP. */
const withSecrets = (image: Sharp, orientation = 1) =>
  image
    .withMetadata({ orientation })
    .withIccProfile('p3')
    .withExifMerge({ IFD0: { ImageDescription: SECRET }, IFD3: { GPSDateStamp: SECRET } })
    .withXmp(xmp);

/** Splits a file into chunks whose sizes cycle through `sizes`. */
function* split(file: Buffer, sizes: number[]): Generator<Uint8Array> {
  for (let at = 0, index = 0; at < file.byteLength; index++) {
    const size = sizes[index % sizes.length] ?? 1;
    yield file.subarray(at, at + size);
    at += size;
  }
}

function stripped(file: Buffer, sizes: number[] = [file.byteLength]): ReadableStream<Uint8Array> {
  const ending = imageEnding(file);
  if (ending === '') throw new Error('the file is not an image');
  const chunks = split(file.subarray(12), sizes);
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return stripMetadata(ending, file.subarray(0, 12), stream.getReader());
}

/** Reads a stream to its end or failure, and returns its bytes and the error. */
async function readAll(stream: ReadableStream<Uint8Array>): Promise<{ bytes: Buffer; error: unknown }> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of stream) pieces.push(piece);
  } catch (error) {
    return { bytes: Buffer.concat(pieces), error };
  }
  return { bytes: Buffer.concat(pieces), error: null };
}

async function strip(file: Buffer, sizes?: number[]): Promise<Buffer> {
  const { bytes, error } = await readAll(stripped(file, sizes));
  expect(error).toBeNull();
  return bytes;
}

const decoded = (file: Buffer) =>
  sharp(file, { animated: true }).autoOrient().raw({ depth: 'ushort' }).toBuffer({ resolveWithObject: true });

async function expectSamePicture(after: Buffer, before: Buffer): Promise<void> {
  const [a, b] = await Promise.all([decoded(after), decoded(before)]);
  expect(a.info).toEqual(b.info);
  expect(a.data.equals(b.data)).toBe(true);
}

/**
 * Strips a file repeatedly, in chunks of different sizes. Expects the same result each time. The result must have the
 * color profile of the file, but not contain the secret.
 */
async function expectStripped(file: Buffer): Promise<Buffer> {
  expect(file.includes(SECRET)).toBe(true);
  const result = await strip(file);
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 900 })), {
    minLength: 1,
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(sizes, async (some) => {
      expect((await strip(file, some)).equals(result)).toBe(true);
    }),
    { numRuns: 15, examples: [[[1]]] },
  );
  expect(result.includes(SECRET)).toBe(false);
  const [after, before] = await Promise.all([sharp(result).metadata(), sharp(file).metadata()]);
  expect(after.xmp).toBeUndefined();
  expect([after.icc, after.iptc]).toEqual([before.icc, undefined]);
  return result;
}

function chunk(type: string, data: Buffer | string = ''): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(data)]);
  const framed = Buffer.alloc(body.byteLength + 8);
  framed.writeUInt32BE(body.byteLength - 4, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.byteLength + 4);
  return framed;
}

function chunkTypes(png: Buffer): string[] {
  const types: string[] = [];
  for (let at = 8; at < png.byteLength; at += 12 + png.readUInt32BE(at)) {
    types.push(png.toString('latin1', at + 4, at + 8));
  }
  return types;
}

function insert(file: Buffer, at: number, ...parts: Buffer[]): Buffer {
  return Buffer.concat([file.subarray(0, at), ...parts, file.subarray(at)]);
}

const AFTER_IHDR = 33;
const pngTexts = [
  chunk('tEXt', `parameters\0${SECRET}`),
  chunk('zTXt', `prompt\0\0${SECRET}`),
  chunk('iTXt', `workflow\0\0\0\0\0${SECRET}`),
  chunk('tIME', Buffer.from([7, 234, 1, 2, 3, 4, 5])),
  chunk('prVt', SECRET),
  chunk('gAMA', SECRET),
];

test.each([
  ['with 8 bits and alpha', picture(4).png()],
  ['with 16 bits', picture().toColourspace('rgb16').png()],
  ['with a palette', picture().png({ palette: true, colors: 16 })],
  ['in gray, interlaced', picture().grayscale().png({ progressive: true })],
])('a PNG %s loses its metadata and keeps its picture and color profile', async (_, image) => {
  const file = await withSecrets(image).toBuffer();
  const result = await expectStripped(
    Buffer.concat([insert(file, AFTER_IHDR, ...pngTexts), Buffer.from(SECRET)]),
  );
  await expectSamePicture(result, file);
  expect((await sharp(result).metadata()).exif).toBeUndefined();
  const kept = chunkTypes(result);
  expect(kept.filter((type) => !/^(IHDR|PLTE|IDAT|IEND|iCCP|pHYs|tRNS|bKGD|sBIT)$/.test(type))).toEqual([]);
});

test('an animated PNG keeps its frames, but not the text chunks between them', async () => {
  const file = await picture().png().toBuffer();
  const end = file.byteLength - 12;
  const animation = chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]));
  const control = chunk('fcTL', Buffer.alloc(26));
  const frame = chunk('fdAT', Buffer.alloc(40));
  const animated = insert(insert(file, end, control, frame), AFTER_IHDR, animation, control);
  const withText = insert(animated, animated.byteLength - 12 - frame.byteLength, ...pngTexts);
  const result = await expectStripped(withText);
  expect(result.equals(await strip(animated))).toBe(true);
  expect(chunkTypes(result).filter((type) => /TL|AT$/.test(type))).toEqual(
    expect.arrayContaining(['acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT']),
  );
  expect(result.includes(frame)).toBe(true);
});

test.each(orientations)(
  'a PNG and a JPEG with EXIF orientation %i keep their orientation',
  async (orientation) => {
    for (const image of [picture().png(), picture().jpeg(), picture().jpeg({ progressive: true })]) {
      const file = await withSecrets(image, orientation).toBuffer();
      const result = await strip(file, [11]);
      expect([file.includes(SECRET), result.includes(SECRET)]).toEqual([true, false]);
      await expectSamePicture(result, file);
      const after = await sharp(result).metadata();
      expect(after.orientation ?? 1).toBe(orientation);
      // In a JPEG, the EXIF data that holds the orientation starts with a six-byte signature.
      const size = after.format === 'png' ? 26 : 32;
      expect(after.exif?.byteLength ?? 0).toBe(orientation === 1 ? 0 : size);
    }
  },
);

test('the orientation is kept in either byte order', async () => {
  const file = await picture().jpeg().toBuffer();
  for (const tiff of [
    '49492a0008000000010012010300010000000600000000000000',
    '4d4d002a00000008000101120003000000010006000000000000',
  ]) {
    const exif = Buffer.concat([Buffer.from('Exif\0\0'), Buffer.from(tiff, 'hex'), Buffer.from(SECRET)]);
    const result = await expectStripped(insert(file, 2, segment(0xe1, exif)));
    expect((await sharp(result).metadata()).orientation).toBe(6);
  }
});

function segment(marker: number, data: Buffer | string): Buffer {
  const bytes = Buffer.from(data);
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(bytes.byteLength + 2, 2);
  return Buffer.concat([head, bytes]);
}

const jpegTexts = [
  segment(0xfe, SECRET),
  segment(0xe0, `JFXX\0\x10${SECRET}`),
  segment(0xe2, `MPF\0${SECRET}`),
  segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${SECRET}`),
  segment(0xeb, SECRET),
  segment(0xed, `Photoshop 3.0\0${SECRET}`),
];

test.each([
  ['baseline', picture().jpeg()],
  ['progressive', picture().jpeg({ progressive: true })],
  ['without color subsampling', picture().jpeg({ chromaSubsampling: '4:4:4' })],
  ['gray', picture().grayscale().jpeg()],
])('a JPEG (%s) loses its metadata, also between and after its scans', async (_, image) => {
  const file = await withSecrets(image).toBuffer();
  const lastScan = file.lastIndexOf(Buffer.from([0xff, 0xda]));
  const padding = Buffer.from([0xff, 0xff]);
  const full = insert(insert(file, lastScan, ...jpegTexts, padding), 2, ...jpegTexts, Buffer.from(SECRET));
  const result = await expectStripped(Buffer.concat([full, file, Buffer.from(SECRET)]));
  await expectSamePicture(result, file);
  expect((await sharp(result).metadata()).exif).toBeUndefined();
  expect(result.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]));
});

test('a CMYK JPEG keeps its color profile of several segments', async () => {
  const file = await picture().toColourspace('cmyk').jpeg().withIccProfile('cmyk').toBuffer();
  const result = await strip(insert(file, 2, ...jpegTexts), [5_000, 7]);
  expect(result.equals(await strip(file))).toBe(true);
  await expectSamePicture(result, file);
  const [after, before] = await Promise.all([sharp(result).metadata(), sharp(file).metadata()]);
  expect(after.icc?.byteLength).toBeGreaterThan(65_536);
  expect(before.icc && after.icc?.equals(before.icc)).toBe(true);
});

test('a JPEG loses its JFIF thumbnail, which may show more than the picture', async () => {
  const file = await picture().jpeg().toBuffer();
  const jfif = Buffer.concat([Buffer.from('JFIF\0\x01\x02\0\0\x01\0\x01\x03\x03'), Buffer.from(SECRET)]);
  const result = await expectStripped(insert(file, 2, segment(0xe0, jfif)));
  await expectSamePicture(result, file);
  expect(result.equals(insert(file, 2, segment(0xe0, `${jfif.subarray(0, 12).toString()}\0\0`)))).toBe(true);
});

test('a JPEG without an end marker is accepted', async () => {
  const file = (await picture().jpeg().toBuffer()).subarray(0, -2);
  expect((await strip(file, [3])).equals(await strip(file))).toBe(true);
});

const frames = async () =>
  sharp(await Promise.all([7, 11, 13].map((seed) => picture(4, seed).png().toBuffer())), {
    join: { animated: true },
  });

test.each([
  ['lossy', async () => picture().webp()],
  ['lossless', async () => picture().webp({ lossless: true })],
  ['with alpha', async () => picture(4).webp()],
  ['animated', async () => (await frames()).webp({ delay: [50, 60, 70], loop: 3 })],
])('a WebP (%s) keeps its size and picture, and its metadata becomes zeros', async (_, image) => {
  const file = await withSecrets(await image()).toBuffer();
  const result = await expectStripped(Buffer.concat([file, Buffer.from(SECRET)]));
  await expectSamePicture(result, file);
  expect(result.byteLength).toBe(file.byteLength);
  const [after, before] = await Promise.all([sharp(result).metadata(), sharp(file).metadata()]);
  expect(after.exif).toBeUndefined();
  expect([after.pages, after.delay, after.loop]).toEqual([before.pages, before.delay, before.loop]);
});

test('a WebP loses unknown chunks, even in a file without an extended header', async () => {
  const file = await picture().webp().toBuffer();
  const size = Buffer.alloc(4);
  size.writeUInt32LE(SECRET.length);
  const extended = Buffer.concat([file, Buffer.from('PRMT'), size, Buffer.from(`${SECRET}\0`)]);
  extended.writeUInt32LE(extended.byteLength - 8, 4);
  const result = await expectStripped(extended);
  await expectSamePicture(result, file);
  expect(result.byteLength).toBe(extended.byteLength);
});

test('a frame of an animated WebP loses everything but its picture', async () => {
  const file = await (await frames()).webp().toBuffer();
  const length = file.lastIndexOf('ANMF') + 4;
  const extended = Buffer.concat([file, Buffer.from('ICCP\x1c\0\0\0'), Buffer.from(`${SECRET}.`)]);
  extended.writeUInt32LE(extended.byteLength - 8, 4);
  extended.writeUInt32LE(extended.byteLength - length - 4, length);
  const result = await strip(extended, [5]);
  expect(result.equals(insert(extended.subarray(0, -28), file.byteLength + 8, Buffer.alloc(28)))).toBe(true);
});

test('a WebP loses its orientation, because browsers ignore it', async () => {
  const file = await withSecrets(picture().webp(), 6).toBuffer();
  const result = await expectStripped(file);
  const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
  expect((await pixels(result)).equals(await pixels(file))).toBe(true);
  expect((await sharp(result).metadata()).orientation).toBeUndefined();
});

test('a file that ends too early fails, and none of its metadata is sent', async () => {
  for (const image of [picture().png(), picture().jpeg(), picture().webp()]) {
    const file = await withSecrets(image).toBuffer();
    const scan = file.indexOf(Buffer.from([0xff, 0xda]));
    // Cut each JPEG before its compressed image data, because cutting within that data is not an error.
    const last = imageEnding(file) === '.jpg' ? scan + 4 : file.byteLength - 1;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 12, max: last }), async (length) => {
        const { bytes, error } = await readAll(stripped(file.subarray(0, length), [50]));
        expect(error).toEqual(new Error('The image file ends too early.'));
        expect(bytes.includes(SECRET.slice(0, 8))).toBe(false);
      }),
      { numRuns: 40 },
    );
  }
});

test('a file with a broken structure fails before any bytes that may be metadata are sent', async () => {
  const [png, jpeg, webp] = await Promise.all([
    picture().png().toBuffer(),
    picture().jpeg().toBuffer(),
    picture().webp().toBuffer(),
  ]);
  const large = chunk('tEXt', SECRET);
  large.writeUInt32BE(2 ** 31, 0);
  const longChunk = Buffer.concat([webp, Buffer.from('EXIF\xff\xff\xff\0', 'latin1'), Buffer.from(SECRET)]);
  longChunk.writeUInt32LE(longChunk.byteLength - 8, 4);
  for (const file of [
    insert(png, AFTER_IHDR, chunk('ABCD', SECRET)),
    insert(png, AFTER_IHDR, Buffer.from(`    ${SECRET}`)),
    insert(png, AFTER_IHDR, large),
    Buffer.concat([png.subarray(0, -12), chunk('IEND', SECRET)]),
    insert(jpeg, 2, segment(0xf5, SECRET)),
    insert(jpeg, 2, Buffer.from([0xff, 0xe1, 0, 0]), Buffer.from(SECRET)),
    insert(jpeg, 2, Buffer.from([0xff, 0xd8]), Buffer.from(SECRET)),
    longChunk,
  ]) {
    const { bytes, error } = await readAll(stripped(file, [7]));
    expect(error).toBeInstanceOf(Error);
    expect(bytes.includes(SECRET)).toBe(false);
  }
});

test('a file is read only as far as its image is requested, and not beyond the end of the image', async () => {
  const file = insert(await picture().png().toBuffer(), AFTER_IHDR, chunk('IDAT', Buffer.alloc(200_000)));
  let sent = 0;
  let cancels = 0;
  const endless = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const bytes = file.subarray(sent + 12, sent + 1_012);
        sent += bytes.byteLength;
        controller.enqueue(bytes.byteLength ? bytes : Buffer.from(SECRET));
      },
      cancel: () => void cancels++,
    },
    { highWaterMark: 0 },
  );
  const reader = stripMetadata('.png', file.subarray(0, 12), endless.getReader()).getReader();
  let received = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    received += value.byteLength;
    expect(sent).toBeLessThan(received + 2_000);
  }
  expect([received, cancels]).toEqual([file.byteLength, 1]);
});

test('canceling does not wait for a file that stops arriving', async () => {
  let reason: unknown;
  const silent = new ReadableStream<Uint8Array>({
    cancel: (why) => {
      reason = why;
    },
  });
  const head = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0d', 'latin1');
  const reader = stripMetadata('.png', head, silent.getReader()).getReader();
  expect((await reader.read()).value?.byteLength).toBe(8);
  const waiting = reader.read();
  await reader.cancel('gone');
  expect([reason, (await waiting).done]).toEqual(['gone', true]);
});
