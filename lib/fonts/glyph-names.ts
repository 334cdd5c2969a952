import { readGlyphs } from '@/lib/pdf/fonts/code-points';
import type { FontTables } from './read-tables';

export const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
/** Code points below this include all of `LETTERS`. */
const LETTERS_END = 0x80;

const tableOf = (tables: FontTables, tag: string) => tables.get(tag) ?? Buffer.alloc(0);

/** Returns the letters A to Z and a to z by consecutive numbers that start with `upper` and `lower`. */
function numbered(upper: number, lower: number): Map<number, string> {
  return new Map(LETTERS.map((letter, index) => [index < 26 ? upper + index : lower + index - 26, letter]));
}
/** The numbers of the letters among the standard names of a `post` table. */
const macNumbers = numbered(36, 68);
const MAC_NAMES = 258;
/** The numbers of the letters among the standard strings of a `CFF` table. */
const cffNumbers = numbered(34, 66);

/** Returns the names of glyphs according to a `post` table. Leaves out all names that are not in `LETTERS`. */
function postNames(post: Buffer): Map<number, string> {
  const version = post.readUInt32BE(0);
  if (version === 0x10000) return macNumbers;
  const names = new Map<number, string>();
  if (version !== 0x20000) return names;
  const count = post.readUInt16BE(32);
  const own: string[] = [];
  for (let at = 34 + 2 * count; at < post.length && own.length < count; at += 1 + post.readUInt8(at)) {
    own.push(post.toString('latin1', at + 1, at + 1 + post.readUInt8(at)));
  }
  for (let glyph = 0; glyph < count; glyph += 1) {
    const number = post.readUInt16BE(34 + 2 * glyph);
    const name = number < MAC_NAMES ? macNumbers.get(number) : own[number - MAC_NAMES];
    if (name && LETTERS.includes(name)) names.set(glyph, name);
  }
  return names;
}

/** Returns the start of the data of an INDEX in a `CFF` table, and the end of the INDEX. */
function readIndex(cff: Buffer, start: number): { data: number; end: number } {
  const count = cff.readUInt16BE(start);
  if (count === 0) return { data: start + 2, end: start + 2 };
  const size = cff.readUInt8(start + 2);
  // Offsets are relative to the byte before the data.
  const data = start + 3 + (count + 1) * size;
  return { data, end: data - 1 + cff.readUIntBE(start + 3 + count * size, size) };
}

/** Returns the last operand of each operator in a DICT. An operator of two bytes has the number 1200 plus its second byte. */
function readDict(dict: Buffer): Map<number, number> {
  const operators = new Map<number, number>();
  let operand = 0;
  for (let at = 0; at < dict.length; ) {
    const first = dict.readUInt8(at);
    if (first <= 21) {
      operators.set(first === 12 ? 1200 + dict.readUInt8(at + 1) : first, operand);
      at += first === 12 ? 2 : 1;
    } else if (first === 28) {
      operand = dict.readInt16BE(at + 1);
      at += 3;
    } else if (first === 29) {
      operand = dict.readInt32BE(at + 1);
      at += 5;
    } else if (first === 30) {
      // A real number ends with the nibble 0xf.
      do at += 1;
      while ((dict.readUInt8(at) & 0xf) !== 0xf);
      at += 1;
    } else if (first <= 246) {
      operand = first - 139;
      at += 1;
    } else {
      const second = dict.readUInt8(at + 1);
      operand = first <= 250 ? (first - 247) * 256 + second + 108 : -(first - 251) * 256 - second - 108;
      at += 2;
    }
  }
  return operators;
}

const CHARSET = 15;
const ROS = 1230;

/** Returns the names of glyphs according to a `CFF` table. Leaves out all names that are not in `LETTERS`. */
function cffNames(cff: Buffer, glyphCount: number): Map<number, string> {
  const names = new Map<number, string>();
  const dicts = readIndex(cff, readIndex(cff, cff.readUInt8(2)).end);
  const dict = readDict(cff.subarray(dicts.data, dicts.end));
  const charset = dict.get(CHARSET) ?? 0;
  // Glyphs of a font with an ROS have numbers instead of names.
  if (dict.has(ROS)) return names;
  // The numbers 0 to 2 are predefined. Number 0 has the order of the standard strings; 1 and 2 have no letters.
  if (charset <= 2) return charset === 0 ? cffNumbers : names;
  const format = cff.readUInt8(charset);
  let at = charset + 1;
  for (let glyph = 1; glyph < glyphCount; ) {
    const first = cff.readUInt16BE(at);
    const more = format === 0 ? 0 : cff.readUIntBE(at + 2, format);
    for (let index = 0; index <= more; index += 1) {
      const name = cffNumbers.get(first + index);
      if (name) names.set(glyph + index, name);
    }
    glyph += 1 + more;
    at += format === 0 ? 2 : 2 + format;
  }
  return names;
}

/**
 * Returns a letter that the font's character map assigns to the glyph of another letter, according to the names of the
 * glyphs. Ignores case, because fonts without small letters use the capital ones. Returns null if there is no such
 * letter, if the glyphs have no names, or if the names cannot be read.
 */
export function misplacedLetter(tables: FontTables): { letter: string; drawn: string } | null {
  try {
    const cff = tables.get('CFF ');
    const names = cff
      ? cffNames(cff, tableOf(tables, 'maxp').readUInt16BE(4))
      : postNames(tableOf(tables, 'post'));
    const glyphs = readGlyphs(tableOf(tables, 'cmap'), LETTERS_END);
    for (const letter of LETTERS) {
      const drawn = names.get(glyphs.get(letter.codePointAt(0) ?? 0) ?? 0) ?? letter;
      if (drawn.toLowerCase() !== letter.toLowerCase()) return { letter, drawn };
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}
