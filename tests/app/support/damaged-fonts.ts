import { readGlyphs, restrictCmap } from '@/lib/pdf/fonts/code-points';
import { studioFont } from '@/tests/app/support/fonts';

type Damage = { font: () => Promise<Buffer>; reason: RegExp };

/** Changes bytes of a table in the file, as a fault on a disk does. */
async function inFile(
  tag: string,
  change: (table: Buffer, entry: Buffer, file: Buffer) => void,
): Promise<Buffer> {
  const file = await studioFont('Damaged');
  const at = file.indexOf(tag, 0, 'latin1');
  const entry = file.subarray(at, at + 16);
  change(file.subarray(entry.readUInt32BE(8), entry.readUInt32BE(8) + entry.readUInt32BE(12)), entry, file);
  return file;
}

/** Makes a font from a changed table, as a faulty program does. The checksums match. */
const made = (tag: string, change: (table: Buffer) => Buffer | undefined): Promise<Buffer> =>
  studioFont('Damaged', {
    change: (tables) => {
      const table = Buffer.from(tables.get(tag) ?? []);
      tables.set(tag, change(table) ?? table);
    },
  });

/** Makes a font that maps each of these letters to the glyph of another character, or to a missing glyph for `null`. */
export const withMap = (glyphOf: Record<string, string | null>) =>
  studioFont('Damaged', {
    change: (tables) => {
      const cmap = tables.get('cmap') ?? Buffer.alloc(4);
      const glyphs = readGlyphs(cmap);
      const changed = restrictCmap(cmap, [[0, 0x10ffff]]);
      for (let at = 28; at < changed.length; at += 12) {
        const drawn = glyphOf[String.fromCodePoint(changed.readUInt32BE(at))];
        if (drawn === undefined) continue;
        changed.writeUInt32BE(drawn === null ? 0xffff : (glyphs.get(drawn.codePointAt(0) ?? 0) ?? 0), at + 8);
      }
      tables.set('cmap', changed);
    },
  });

/** Fonts with one fault each, and what the refusal says about the fault. */
export const damagedFonts: Record<string, Damage> = {
  'changed bytes of glyf': {
    font: () => inFile('glyf', (table) => table.fill(1, 4000, 4004)),
    reason: /“glyf”/,
  },
  'changed bytes of loca': {
    font: () => inFile('loca', (table) => table.fill(1, 100, 104)),
    reason: /“loca”/,
  },
  'changed bytes of hmtx': { font: () => inFile('hmtx', (table) => table.fill(1, 0, 100)), reason: /“hmtx”/ },
  'changed bytes of cmap': {
    font: () => inFile('cmap', (table) => table.fill(0, 300, 302)),
    reason: /“cmap”/,
  },
  'a wrong checksum': {
    font: () => inFile('maxp', (_, entry) => entry.writeUInt32BE(1, 4)),
    reason: /“maxp”/,
  },
  'an incomplete file': {
    font: async () => (await studioFont('Damaged')).subarray(0, 30_000),
    reason: /“glyf” is damaged/,
  },
  'overlapping tables': {
    font: () =>
      inFile('GPOS', (_, entry, file) =>
        file.copy(entry, 4, file.indexOf('GDEF') + 4, file.indexOf('GDEF') + 16),
      ),
    reason: /its tables overlap/,
  },
  'an invalid glyph': {
    font: () => made('glyf', (table) => table.fill(255, 1000, 1400)),
    reason: /“glyf” is damaged/,
  },
  'a loca that is too short': {
    font: () => made('loca', (table) => table.subarray(0, 200)),
    reason: /“loca” is damaged/,
  },
  'a loca without outlines': {
    font: () => made('loca', (table) => table.fill(0)),
    reason: /draws none of its characters/,
  },
  'an hmtx that is too short': {
    font: () => made('hmtx', (table) => table.subarray(0, 200)),
    reason: /“hmtx” is damaged/,
  },
  'a maxp of an unknown version': {
    font: () => made('maxp', (table) => void table.writeUInt32BE(0x70000)),
    reason: /“maxp” is damaged/,
  },
  'a head without a unit': {
    font: () => made('head', (table) => void table.writeUInt16BE(0, 18)),
    reason: /“head” is damaged/,
  },
  'a cmap that is too short': {
    font: () => made('cmap', (table) => table.subarray(0, 300)),
    reason: /“cmap” is damaged/,
  },
  'a cmap for unknown platforms': {
    font: () =>
      made('cmap', (table) => {
        for (let index = 0; index < table.readUInt16BE(2); index += 1) table.writeUInt16BE(9, 4 + 8 * index);
        return undefined;
      }),
    reason: /“cmap”/,
  },
  'a letter with an empty glyph': { font: () => withMap({ Q: ' ' }), reason: /draws nothing for Q/ },
  'a letter with a glyph that the font lacks': {
    font: () => withMap({ A: null }),
    reason: /“cmap” is damaged/,
  },
};
