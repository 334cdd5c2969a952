import { isLibraryFont } from '@/lib/document/font-library';
import { fontName } from '@/lib/document/page-model';
import { HttpError } from '@/lib/errors/problem';
import { damagedTable, type FontTables, readTables } from './read-tables';

/** The family name and style by which documents refer to a font. */
export type FontStyle = { name: string; bold: boolean; italic: boolean };

const required = ['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'name', 'OS/2'];
const HEAD_MAGIC = 0x5f0f3cf5;
const MAX_NAMES = 1000;
const FAMILY = 1;
// Bits of `fsType`. If the `USAGE` bits have the value `RESTRICTED`, the font must not be embedded. If the
// `BITMAPS_ONLY` bit is set, its outlines must not be embedded.
const RESTRICTED = 0x2;
const USAGE = 0xf;
const BITMAPS_ONLY = 0x200;
// Bits of `fsSelection`.
const ITALIC = 0x1;
const BOLD = 0x20;

const refused = (detail: string) => new HttpError('invalid_font', detail);
/** Returns the error for a font that does not work, for example because `its table “glyf” is damaged`. */
export const unusable = (reason: string) => refused(`The font cannot be used: ${reason}.`);

const tableOf = (tables: FontTables, tag: string) => tables.get(tag) ?? Buffer.alloc(0);

const utf16be = (bytes: Buffer) => new TextDecoder('utf-16be').decode(bytes);

/**
 * Returns the family name from the `name` table. Prefers the name for Windows in US English. If there is none, returns
 * the first family name that is not empty, or '' if all are empty.
 */
function readFamily(table: Buffer): string {
  const count = Math.min(table.readUInt16BE(2), MAX_NAMES);
  const strings = table.readUInt16BE(4);
  let found = '';
  for (let index = 0; index < count; index += 1) {
    const at = 6 + index * 12;
    const [platform, language, id] = [0, 4, 6].map((offset) => table.readUInt16BE(at + offset));
    if (id !== FAMILY) continue;
    const start = strings + table.readUInt16BE(at + 10);
    const bytes = table.subarray(start, start + table.readUInt16BE(at + 8));
    const text = platform === 1 ? bytes.toString('latin1') : utf16be(bytes.subarray(0, bytes.length & ~1));
    if (platform === 3 && language === 0x409) return text;
    found ||= text;
  }
  return found;
}

/** Makes a font's name valid in documents: replaces unsupported characters, and trims and shortens the name. */
function cleanName(name: string): string {
  return name
    .replace(/[^\p{L}\p{N} .+_-]/gu, ' ')
    .replace(/ +/g, ' ')
    .replace(/^[ .+_-]+/, '')
    .slice(0, 64)
    .trim();
}

function readStyle(tables: FontTables): FontStyle {
  const head = tableOf(tables, 'head');
  if (head.readUInt32BE(12) !== HEAD_MAGIC || tableOf(tables, 'maxp').readUInt16BE(4) === 0) {
    throw new RangeError('not a font');
  }
  const os2 = tableOf(tables, 'OS/2');
  const [embedding, selection] = [os2.readUInt16BE(8), os2.readUInt16BE(62)];
  if ((embedding & USAGE) === RESTRICTED || (embedding & BITMAPS_ONLY) !== 0) {
    throw refused('The license of the font does not allow embedding.');
  }
  const name = fontName.safeParse(cleanName(readFamily(tableOf(tables, 'name'))));
  if (!name.success) throw refused('The font has no usable family name.');
  return { name: name.data, bold: (selection & BOLD) !== 0, italic: (selection & ITALIC) !== 0 };
}

/** Like `readTables`, but returns null for a damaged file, and throws `invalid_font` if it is known which table is damaged. */
async function readIntactTables(file: Buffer): Promise<FontTables | null> {
  try {
    const damaged = damagedTable(file);
    if (damaged !== null) throw unusable(`its table “${damaged}” is damaged`);
    return await readTables(file);
  } catch (error) {
    if (error instanceof HttpError) throw error;
    return null;
  }
}

/**
 * Reads the family and style of an uploaded WOFF2, TrueType or OpenType file. Checks only the checksums and the tables
 * that it needs; `requirePrintable` checks the rest. Throws `invalid_font` for any other file, a damaged or variable
 * font, and a font that may not be embedded, has no usable name, or has the name of a library font.
 */
export async function readFont(file: Buffer): Promise<FontStyle> {
  const tables = await readIntactTables(file);
  const hasGlyphs = tables?.has('glyf') || tables?.has('CFF ');
  if (!tables || !hasGlyphs || required.some((tag) => !tables.has(tag))) {
    throw refused('The file is not a WOFF2, TTF or OTF font, or it is damaged.');
  }
  if (tables.has('fvar')) {
    throw refused('Variable fonts are not supported. Upload a file for each style.');
  }
  let style: FontStyle;
  try {
    style = readStyle(tables);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refused('The font is damaged.');
  }
  if (isLibraryFont(style.name)) throw refused(`${style.name} is available in every project.`);
  return style;
}
