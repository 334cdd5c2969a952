import sharp from 'sharp';
import type { PageInput } from '@/lib/document/page-model';
import type { ShopFile } from '@/tests/pdf/support/print-shop';

/** Creates a generator of pseudo-random numbers from 0 to 255; the same seed gives the same sequence. */
function noise(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
}

/**
 * Makes an image of hills with grain, which has as much detail as a photo. With `seeThrough`, the left half of the
 * image fades out toward the left edge.
 */
export async function photo(
  width: number,
  height: number,
  { seed = 1, grain = 24, seeThrough = false } = {},
): Promise<ShopFile & { bytes: Uint8Array }> {
  const channels = seeThrough ? 4 : 3;
  const pixels = Buffer.alloc(width * height * channels);
  const next = noise(seed);
  for (let at = 0; at < width * height; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const hill = 110 + 60 * Math.sin(x / 37 + seed) + 40 * Math.cos(y / 23 + seed);
    for (let channel = 0; channel < 3; channel += 1) {
      const value = hill + channel * 12 + ((next() - 128) * grain) / 128;
      pixels[at * channels + channel] = Math.max(0, Math.min(255, value));
    }
    if (seeThrough) pixels[at * 4 + 3] = Math.min(255, Math.floor((x / width) * 510));
  }
  const image = sharp(pixels, { raw: { width, height, channels } });
  const bytes = await (seeThrough ? image.png() : image.jpeg({ quality: 90 })).toBuffer();
  return { width, height, bytes };
}

const words =
  'Limewashed walls and a floor of oiled oak hold the light of the bay through the day. The bench along the window is ' +
  'deep enough to sleep on, and its cushions are of undyed wool. 木 🌿 ';

/**
 * Returns a typical page: a heading, three paragraphs, a photo, two swatches with their data, and a table.
 */
export function studioPage(number: number, photoPath: string, swatchPath: string): PageInput {
  const swatch = (id: string, x: number): NonNullable<PageInput['elements']>[number] => ({
    id,
    type: 'material',
    x,
    y: 160,
    w: 40,
    h: 50,
    materialId: id,
    title: `Oak ${number}`,
    path: swatchPath,
    rows: [{ label: 'Finish', value: 'oiled' }],
  });
  return {
    id: `page-${number}`,
    title: `Room № ${number}`,
    elements: [
      {
        id: 'text',
        type: 'text',
        x: 20,
        y: 14,
        w: 170,
        h: 44,
        fontSize: 9,
        blocks: [
          { type: 'heading', level: 1, runs: [{ text: `Room ${number}` }] },
          ...[1, 2, 3].map((part) => ({
            type: 'paragraph' as const,
            runs: [
              { text: `${part}. ${words}` },
              { text: 'Samples', link: `https://example.com/${number}?(${part})` },
            ],
          })),
        ],
      },
      { id: 'photo', type: 'image', x: 20, y: 60, w: 170, h: 95, path: photoPath, alt: 'The room' },
      swatch('left', 20),
      swatch('right', 70),
      {
        id: 'table',
        type: 'table',
        x: 120,
        y: 160,
        w: 70,
        h: 115,
        columns: [{ label: 'Item' }, { label: 'Count' }, { label: 'Note' }],
        rows: Array.from({ length: 12 }, (_, row) => [`Lamp ${row}`, String(row * number), 'brass']),
      },
    ],
  };
}
