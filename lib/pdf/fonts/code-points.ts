import { isIn, type Range } from '@/lib/document/printed-characters';

const SEGMENTS = 4;
const GROUPS = 12;
const MAX_POINT = 0x10ffff;

type Glyph = [point: number, glyph: number];

// The ranges in a `cmap` table are sorted. The functions below skip code points up to the end of any earlier range,
// because reading overlapping ranges in a damaged font could take forever.

function* readSegments(table: Buffer): Generator<Glyph> {
  let next = 0;
  const size = table.readUInt16BE(6);
  const at = (array: number, offset: number) => table.readUInt16BE(14 + array * size + offset);
  for (let offset = 0; offset < size; offset += 2) {
    // Two bytes of padding separate the list of last code points from the list of first code points.
    const [last, first] = [at(0, offset), at(1, offset + 2)];
    const [delta, rangeOffset] = [at(2, offset + 2), at(3, offset + 2)];
    const glyphs = 14 + 3 * size + offset + 2 + rangeOffset;
    for (let point = Math.max(first, next); point <= last && point < 0xffff; point += 1) {
      const glyph = rangeOffset ? table.readUInt16BE(glyphs + 2 * (point - first)) : (point + delta) & 0xffff;
      if (glyph !== 0) yield [point, glyph];
    }
    next = Math.max(next, last + 1);
  }
}

function* readGroups(table: Buffer): Generator<Glyph> {
  let next = 0;
  for (let index = 0; index < table.readUInt32BE(12); index += 1) {
    const group = 16 + index * 12;
    const [first, last] = [table.readUInt32BE(group), table.readUInt32BE(group + 4)];
    for (let point = Math.max(first, next); point <= Math.min(last, MAX_POINT); point += 1)
      yield [point, table.readUInt32BE(group + 8) + point - first];
    next = Math.max(next, last + 1);
  }
}

/**
 * Reads the glyph ids by code point from a `cmap` table (https://learn.microsoft.com/typography/opentype/spec/cmap).
 * Uses the first subtable in format 4 and the first one in format 12. Stops after `limit` code points of a subtable,
 * which are its lowest ones. Throws a RangeError if the table is damaged.
 */
export function readGlyphs(cmap: Buffer, limit = Number.POSITIVE_INFINITY): Map<number, number> {
  const glyphs = new Map<number, number>();
  const read = new Set<number>();
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const table = cmap.subarray(cmap.readUInt32BE(4 + index * 8 + 4));
    const format = table.readUInt16BE(0);
    if ((format !== SEGMENTS && format !== GROUPS) || read.has(format)) continue;
    read.add(format);
    let count = 0;
    for (const [point, glyph] of format === SEGMENTS ? readSegments(table) : readGroups(table)) {
      glyphs.set(point, glyph);
      count += 1;
      if (count >= limit) break;
    }
  }
  return glyphs;
}

/** Merges ranges that touch or overlap. */
export function joinRanges(ranges: Range[]): Range[] {
  const joined: Range[] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const before = joined.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

/** Returns the code points that have a glyph in a font's `cmap` table. Throws a RangeError if the table is damaged. */
export function codePoints(cmap: Buffer): Range[] {
  return joinRanges([...readGlyphs(cmap).keys()].map((point) => [point, point]));
}

/** Returns a `cmap` table that contains only the characters in the ranges. */
export function restrictCmap(cmap: Buffer, ranges: Range[]): Buffer {
  const kept = [...readGlyphs(cmap)].filter(([point]) => isIn(ranges, point)).sort(([a], [b]) => a - b);
  const header = [0, 1, 3, 10, 0, 12, GROUPS, 0].flatMap((value) => [value >> 8, value & 0xff]);
  const body = Buffer.alloc(12 + 12 * kept.length);
  body.writeUInt32BE(16 + 12 * kept.length, 0);
  body.writeUInt32BE(kept.length, 8);
  for (const [index, [point, glyph]] of kept.entries())
    for (const [n, value] of [point, point, glyph].entries())
      body.writeUInt32BE(value, 12 + index * 12 + n * 4);
  return Buffer.concat([Buffer.from(header), body]);
}
