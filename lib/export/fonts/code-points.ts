/** First and last code point of a run, both included; lists of them are sorted and do not touch. */
export type Range = [first: number, last: number];

const SEGMENTS = 4;
const GROUPS = 12;

function* readSegments(table: Buffer): Generator<Range> {
  const size = table.readUInt16BE(6);
  const at = (array: number, offset: number) => table.readUInt16BE(14 + array * size + offset);
  for (let offset = 0; offset < size; offset += 2) {
    // Between the ends and the starts lie two bytes of nothing.
    const [last, first] = [at(0, offset), at(1, offset + 2)];
    const [delta, rangeOffset] = [at(2, offset + 2), at(3, offset + 2)];
    const glyphs = 14 + 3 * size + offset + 2 + rangeOffset;
    for (let point = first; point <= last && point < 0xffff; point += 1) {
      const glyph = rangeOffset ? table.readUInt16BE(glyphs + 2 * (point - first)) : (point + delta) & 0xffff;
      if (glyph !== 0) yield [point, point];
    }
  }
}

function* readGroups(table: Buffer): Generator<Range> {
  for (let index = 0; index < table.readUInt32BE(12); index += 1) {
    const group = 16 + index * 12;
    yield [table.readUInt32BE(group), table.readUInt32BE(group + 4)];
  }
}

/** Joins ranges that touch or overlap. */
export function joinRanges(ranges: Range[]): Range[] {
  const joined: Range[] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const before = joined.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

/** The characters that a font has a glyph for, from its `cmap` table (formats 4 and 12, as all our fonts have them). */
export function codePoints(cmap: Buffer): Range[] {
  const found: Range[] = [];
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const table = cmap.subarray(cmap.readUInt32BE(4 + index * 8 + 4));
    const format = table.readUInt16BE(0);
    if (format === SEGMENTS) found.push(...readSegments(table));
    if (format === GROUPS) found.push(...readGroups(table));
  }
  return joinRanges(found);
}

/** Is this code point in one of the ranges? */
export function isIn(ranges: Range[], point: number): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [first = 0, last = 0] = ranges[middle] ?? [];
    if (point < first) high = middle;
    else if (point > last) low = middle + 1;
    else return true;
  }
  return false;
}
