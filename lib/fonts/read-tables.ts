import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

const decompress = promisify(brotliDecompress);
/** Maximum total size of a WOFF2 font's tables after decompression, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_TABLES = 64;

/** The tables of a font by their tags. */
export type FontTables = Map<string, Buffer>;

/**
 * Reads the table directory of a TrueType or OpenType file
 * (https://learn.microsoft.com/typography/opentype/spec/otff). A table that extends beyond the end of the file is
 * shorter than its `length`.
 */
function readDirectory(file: Buffer) {
  const count = file.readUInt16BE(4);
  if (count > MAX_TABLES) throw new RangeError('too many tables');
  return Array.from({ length: count }, (_, index) => {
    const entry = 12 + index * 16;
    const offset = file.readUInt32BE(entry + 8);
    const length = file.readUInt32BE(entry + 12);
    const table = file.subarray(offset, offset + length);
    return {
      tag: file.toString('latin1', entry, entry + 4),
      checksum: file.readUInt32BE(entry + 4),
      length,
      table,
    };
  });
}

function readSfnt(file: Buffer): FontTables {
  const entries = readDirectory(file);
  if (entries.some(({ table, length }) => table.length < length)) {
    throw new RangeError('a table is outside of the file');
  }
  return new Map(entries.map(({ tag, table }) => [tag, table]));
}

/** Adds up a table's 32-bit words. Zeros follow a table whose length is not a multiple of four. */
function checksumOf(table: Buffer): number {
  const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}

const typeOf = (file: Buffer) => file.toString('latin1', 0, 4);
const isSfnt = (type: string) => type === '\0\x01\0\0' || type === 'OTTO' || type === 'true';

/** Tables that some programs change without updating the checksum. The checksum of `head` depends on the whole file. */
const withoutChecksum = new Set(['head', 'name', 'OS/2']);

/**
 * Returns the tag of a table that is incomplete or does not match its checksum. Returns null if there is none, or if
 * the file has no checksums, because it is not a TrueType or OpenType file. Throws a RangeError if the table directory
 * is damaged.
 */
export function damagedTable(file: Buffer): string | null {
  if (!isSfnt(typeOf(file))) return null;
  const damaged = readDirectory(file).find(
    ({ tag, checksum, length, table }) =>
      table.length < length || (!withoutChecksum.has(tag) && checksumOf(table) !== checksum),
  );
  return damaged?.tag.replace(/[^ -~]/g, '?').trim() ?? null;
}

/** Table tags that WOFF2 encodes as indexes into this list. Shorter tags are padded with spaces to four characters. */
const knownTags = [
  ...'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'.matchAll(
    /(.{4})(?: |$)/g,
  ),
].map(([, tag]) => tag ?? '');

/** Reads a variable-length integer (UIntBase128). Returns it with the position after its last byte. */
function readBase128(file: Buffer, start: number): [value: number, end: number] {
  let value = 0;
  for (let at = start; at < start + 5; at += 1) {
    const byte = file.readUInt8(at);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + 1];
  }
  throw new RangeError('a number is too long');
}

/**
 * Reads a WOFF2 file (https://www.w3.org/TR/WOFF2/). Does not convert transformed tables, such as `glyf`, back to their
 * TrueType format.
 */
async function readWoff2(file: Buffer): Promise<FontTables> {
  const count = file.readUInt16BE(12);
  if (count > MAX_TABLES || file.readUInt32BE(8) !== file.length) throw new RangeError('not a WOFF2 file');
  const packedLength = file.readUInt32BE(20);
  const entries: { tag: string; length: number }[] = [];
  let at = 48;
  for (let index = 0; index < count; index += 1) {
    const flags = file.readUInt8(at);
    at += 1;
    let tag = knownTags[flags & 0x3f] ?? '';
    if ((flags & 0x3f) === 0x3f) {
      tag = file.toString('latin1', at, at + 4);
      at += 4;
    }
    let length: number;
    [length, at] = readBase128(file, at);
    const version = flags >> 6;
    const isTransformed = tag === 'glyf' || tag === 'loca' ? version === 0 : version !== 0;
    if (isTransformed) [length, at] = readBase128(file, at);
    entries.push({ tag, length });
  }
  if (at + packedLength > file.length) throw new RangeError('the data is incomplete');
  const data = await decompress(file.subarray(at, at + packedLength), { maxOutputLength: MAX_BYTES });
  const tables: FontTables = new Map();
  let offset = 0;
  for (const { tag, length } of entries) {
    if (offset + length > data.length) throw new RangeError('a table is outside of the file');
    tables.set(tag, data.subarray(offset, offset + length));
    offset += length;
  }
  return tables;
}

/**
 * Returns the tables of a WOFF2, TrueType or OpenType file, or null for any other type of file. Rejects for a damaged
 * file, and for one that decompresses to more than 16 MB.
 */
export async function readTables(file: Buffer): Promise<FontTables | null> {
  const type = typeOf(file);
  if (type === 'wOF2') return file.toString('latin1', 4, 8) === 'ttcf' ? null : readWoff2(file);
  return isSfnt(type) ? readSfnt(file) : null;
}
