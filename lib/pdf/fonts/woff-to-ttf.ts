import { inflateSync } from 'node:zlib';

/** The properties that identify a font. */
export type FontName = { family: string; weight: 400 | 700; italic: boolean };
/** A font's type (`flavor`) and its uncompressed tables. */
export type UnpackedFont = { flavor: number; tables: Map<string, Buffer> };

/** Reads a WOFF 1 file (https://www.w3.org/TR/WOFF/). Throws an Error for anything else. */
export function readWoff(woff: Buffer): UnpackedFont {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF file');
  const tables = new Map<string, Buffer>();
  for (let index = 0; index < woff.readUInt16BE(12); index += 1) {
    const entry = 44 + index * 20;
    const offset = woff.readUInt32BE(entry + 4);
    const packed = woff.subarray(offset, offset + woff.readUInt32BE(entry + 8));
    const isPacked = packed.length < woff.readUInt32BE(entry + 12);
    tables.set(woff.toString('latin1', entry, entry + 4), isPacked ? inflateSync(packed) : packed);
  }
  return { flavor: woff.readUInt32BE(4), tables };
}

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

/** Builds a `name` table with English names for the Windows platform. fontconfig reads these names. */
function nameTable({ family, weight, italic }: FontName): Buffer {
  const style = [weight === 700 && 'Bold', italic && 'Italic'].filter(Boolean).join(' ') || 'Regular';
  const postScript = `${family.replaceAll(' ', '')}-${style.replaceAll(' ', '')}`;
  const texts = [
    [1, family],
    [2, style],
    [4, `${family} ${style}`],
    [6, postScript],
  ] as const;
  const strings = texts.map(([, text]) => utf16be(text));
  const head = Buffer.alloc(6 + 12 * texts.length);
  head.writeUInt16BE(texts.length, 2);
  head.writeUInt16BE(head.length, 4);
  let offset = 0;
  for (const [index, [id]] of texts.entries()) {
    const length = strings[index]?.length ?? 0;
    for (const [n, value] of [3, 1, 0x409, id, length, offset].entries())
      head.writeUInt16BE(value, 6 + index * 12 + n * 2);
    offset += length;
  }
  return Buffer.concat([head, ...strings]);
}

function checksum(table: Buffer): number {
  let sum = 0;
  for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0;
  return sum;
}

/**
 * Returns a font as a TrueType file, renamed to `name`. Omits the SVG glyphs of a color font, which take up four fifths
 * of the file. Chromium does not need them, because it draws the glyphs that the file contains in another format.
 */
export function writeTtf({ flavor, tables }: UnpackedFont, name: FontName): Buffer {
  const kept = [...tables].filter(([tag]) => tag !== 'SVG ' && tag !== 'name');
  const all = [...kept, ['name', nameTable(name)] as const].sort(([a], [b]) => (a < b ? -1 : 1));
  const exponent = Math.floor(Math.log2(all.length));
  const head = Buffer.alloc(12 + 16 * all.length);
  head.writeUInt32BE(flavor, 0);
  for (const [n, value] of [
    all.length,
    2 ** exponent * 16,
    exponent,
    (all.length - 2 ** exponent) * 16,
  ].entries())
    head.writeUInt16BE(value, 4 + n * 2);
  const parts = [head];
  let offset = head.length;
  for (const [index, [tag, table]] of all.entries()) {
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    const entry = 12 + index * 16;
    head.write(tag, entry, 'latin1');
    for (const [n, value] of [checksum(padded), offset, table.length].entries())
      head.writeUInt32BE(value, entry + 4 + n * 4);
    parts.push(padded);
    offset += padded.length;
  }
  return Buffer.concat(parts);
}
