import type { Range } from './printed-characters';

/** Family of the fallback font, which draws every character as an empty box. It comes after all document fonts. */
export const BOX_FAMILY = 'Atelier Empty Box';

const [ASCENT, DESCENT, ADVANCE] = [1069, -293, 600];
/**
 * The outline of the box that Noto Sans draws for missing characters. Screens therefore show the same box as printed
 * pages.
 */
const box = [
  ...[0x0002, 0x005e, 0x0000, 0x01f9, 0x02ca, 0x0003, 0x0007, 0x0000, 0x3311, 0x2111],
  ...[0x2521, 0x1121, 0x5e01, 0x9bfe, 0x9801, 0x35fe, 0xcb02, 0xcafd, 0x3633, 0x0264],
];
const zeros = (count: number): number[] => Array(count).fill(0);

/**
 * The tables of a TrueType font as 16-bit units (https://learn.microsoft.com/typography/opentype/spec/otff). The font
 * has two glyphs, because browsers treat the first glyph of a font as a missing character.
 */
const tables: Record<string, number[]> = {
  'OS/2': [
    ...[
      4,
      ADVANCE,
      400,
      5,
      0,
      650,
      600,
      0,
      75,
      650,
      600,
      0,
      350,
      50,
      322,
      0,
      ...zeros(15),
      0x40,
      0x21,
      0xffff,
    ],
    ...[ASCENT, DESCENT, 0, ASCENT, -DESCENT, ...zeros(4), 536, 714, 0, 32, 0],
  ],
  // Maps U+0021 and all later characters to the second glyph.
  cmap: [0, 1, 3, 10, 0, 12, 13, 0, 0, 28, 0, 0, 0, 1, 0, 0x21, 0x10, 0xffff, 0, 1],
  glyf: [...box, ...box],
  head: [1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0xb, 1000, ...zeros(8), 94, 0, 505, 714, 0, 8, 2, 0, 0],
  hhea: [1, 0, ASCENT, DESCENT, 0, ADVANCE, 94, 95, 505, 1, ...zeros(7), 2],
  hmtx: [ADVANCE, 94, ADVANCE, 94],
  loca: [0, box.length, box.length * 2],
  maxp: [1, 0, 2, 8, 2, 0, 0, 2, ...zeros(8)],
  name: [0, 0, 6],
  post: [3, 0, 0, 0, -100, 50, ...zeros(10)],
};

/**
 * Returns a TrueType font that draws U+0021 and all later characters as empty boxes. Its checksums are 0, because
 * browsers ignore them.
 */
export function boxFont(): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(tables);
  const parts: number[] = [1, 0, entries.length, 128, 3, 32];
  let offset = 12 + 16 * entries.length;
  for (const [tag, { length }] of entries) {
    const [a = 0, b = 0, c = 0, d = 0] = [...tag].map((letter) => letter.charCodeAt(0));
    parts.push((a << 8) | b, (c << 8) | d, 0, 0, 0, offset, 0, length * 2);
    offset += length * 2 + ((length * 2) % 4);
  }
  for (const table of Object.values(tables)) parts.push(...table, ...zeros(table.length % 2));
  const view = new DataView(new ArrayBuffer(parts.length * 2));
  for (const [index, value] of parts.entries()) view.setUint16(index * 2, value & 0xffff);
  return new Uint8Array(view.buffer);
}

const hex = (point: number) => point.toString(16);
const LAST = 0x10ffff;

/** Returns a CSS `unicode-range` of the characters outside `ranges`, starting at U+00A1. `ranges` must be sorted. */
export function unicodeRangeWithout(ranges: readonly Range[]): string {
  const found: string[] = [];
  let from = 0xa1;
  for (const [first, last] of [...ranges, [LAST + 1, LAST + 1] as const]) {
    if (first > from) found.push(`U+${hex(from)}-${hex(first - 1)}`);
    from = Math.max(from, last + 1);
  }
  return found.join(', ');
}
