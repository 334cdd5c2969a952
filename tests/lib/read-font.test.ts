import { brotliCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HttpError } from '@/lib/errors/problem';
import { readFont } from '@/lib/fonts/read-font';
import { type FontTables, readTables } from '@/lib/fonts/read-tables';
import { packedFont, studioFont } from '@/tests/app/support/fonts';

async function detailOf(file: Buffer): Promise<string> {
  const error = await readFont(file).then(
    (font) => `accepted ${JSON.stringify(font)}`,
    (thrown: unknown) => thrown,
  );
  if (error instanceof HttpError && error.code === 'invalid_font') return error.message;
  return `not refused as a font: ${error}`;
}

/** Returns a font whose `OS/2` table has this `fsType`. */
const withEmbedding = (type: number) =>
  studioFont('Studio', {
    change: (tables) => tables.get('OS/2')?.writeUInt16BE(type, 8),
  });

/** Packs a font's tables into a WOFF2 file. Writes a tag as its WOFF2 index if `indexes` has one, otherwise in full. */
function woff2Of(tables: FontTables, indexes: Record<string, number>): Buffer {
  const entries = [...tables].map(([tag, { length }]) => {
    const index = indexes[tag];
    const start = index === undefined ? [0x3f, ...Buffer.from(tag, 'latin1')] : [index];
    return Buffer.from([...start, 0x80 | (length >> 14), 0x80 | ((length >> 7) & 0x7f), length & 0x7f]);
  });
  const data = brotliCompressSync(Buffer.concat([...tables.values()]));
  const header = Buffer.alloc(48);
  header.write('wOF2OTTO');
  header.writeUInt16BE(tables.size, 12);
  header.writeUInt32BE(data.length, 20);
  const file = Buffer.concat([header, ...entries, data]);
  file.writeUInt32BE(file.length, 8);
  return file;
}

describe('fonts of a studio', () => {
  test('the family and the style are read from TrueType and WOFF2 files', async () => {
    expect(await readFont(await studioFont('Søren Sans', { bold: true }))).toEqual({
      name: 'Søren Sans',
      bold: true,
      italic: false,
    });
    expect(await readFont(await studioFont('Neue (Studio)', { italic: true }))).toEqual({
      name: 'Neue Studio',
      bold: false,
      italic: true,
    });
    const woff2 = await packedFont('noto-sans-hebrew/files/noto-sans-hebrew-hebrew-700-normal.woff2');
    expect(await readFont(woff2)).toMatchObject({
      name: expect.stringMatching(/^Noto Sans Hebrew/),
      italic: false,
    });
  });

  test('a WOFF2 file with PostScript outlines is accepted', async () => {
    const tables = (await readTables(await studioFont('Studio'))) ?? new Map();
    const glyphs = tables.get('glyf') ?? Buffer.alloc(0);
    for (const tag of ['glyf', 'loca', 'cvt ', 'fpgm', 'prep']) tables.delete(tag);
    tables.set('CFF ', glyphs);
    expect(await readFont(woff2Of(tables, { 'CFF ': 13 }))).toMatchObject({ name: 'Studio' });
  });

  test('fonts that may be embedded for viewing, printing or editing are accepted; others are rejected', async () => {
    for (const type of [0x0, 0x4, 0x8, 0x104]) {
      expect(await readFont(await withEmbedding(type))).toMatchObject({ name: 'Studio' });
    }
    for (const type of [0x2, 0x200, 0x204]) {
      expect(await detailOf(await withEmbedding(type))).toMatch(/license/);
    }
  });

  test('files of other types, variable fonts and library font names are rejected with the reason', async () => {
    const damaged = /not a WOFF2, TTF or OTF font/;
    expect(await detailOf(Buffer.from('%PDF-1.7'))).toMatch(damaged);
    expect(await detailOf(Buffer.alloc(0))).toMatch(damaged);
    expect(await detailOf(await packedFont('lora/files/lora-latin-400-normal.woff'))).toMatch(damaged);
    expect(await detailOf(await studioFont('Studio', { change: (tables) => tables.delete('glyf') }))).toMatch(
      damaged,
    );
    const variable = await studioFont('Studio', { change: (tables) => tables.set('fvar', Buffer.alloc(20)) });
    expect(await detailOf(variable)).toMatch(/Variable fonts/);
    expect(await detailOf(await studioFont('Lora'))).toMatch(/Lora is available/);
    expect(await detailOf(await studioFont('★'))).toMatch(/family name/);
  });

  test('a WOFF2 file that decompresses to more than 16 MB is rejected', { tags: ['extended'] }, async () => {
    const data = brotliCompressSync(Buffer.alloc(64 * 1024 * 1024));
    const head = Buffer.alloc(48);
    head.write('wOF2');
    head.writeUInt32BE(48 + 2 + data.length, 8);
    head.writeUInt16BE(1, 12);
    head.writeUInt32BE(data.length, 20);
    expect(await detailOf(Buffer.concat([head, Buffer.from([0, 10]), data]))).toMatch(/damaged/);
  });

  test('a file with any changed or missing bytes is either read or rejected', async () => {
    const files = [
      await studioFont('Studio'),
      await packedFont('noto-sans-thai/files/noto-sans-thai-thai-400-normal.woff2'),
    ];
    const change = fc.record({ at: fc.nat(1500), byte: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(change, { maxLength: 8 }),
        fc.option(fc.nat(2000)),
        async (file, changes, length) => {
          const hostile = Buffer.from(length === null ? file : file.subarray(0, length));
          for (const { at, byte } of changes) if (at < hostile.length) hostile[at] = byte;
          const font = await readFont(hostile).catch((error: unknown) => error);
          if (font instanceof HttpError) expect(font.code).toBe('invalid_font');
          else
            expect(font).toEqual({
              name: expect.any(String),
              bold: expect.any(Boolean),
              italic: expect.any(Boolean),
            });
        },
      ),
      { numRuns: 400 },
    );
  });
});
