import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentHtml } from '@/app/document-html';
import { fontCoverage } from '@/app/font-coverage';
import { fontLibrary } from '@/lib/document/font-library';
import { documentPages, type PageInput } from '@/lib/document/page-model';
import { isIn, missingCharacters } from '@/lib/document/printed-characters';
import { exportOptions, projectDocument } from '@/lib/document/schema';
import { planSheets } from '@/lib/document/sheets';
import { launchChromium } from '@/lib/pdf/chromium/launch';
import { codePoints, restrictCmap } from '@/lib/pdf/fonts/code-points';
import { mainFonts } from '@/lib/pdf/fonts/font-files';
import { printedCharacters, printFonts } from '@/lib/pdf/fonts/print-fonts';
import { libraryFontFaces, projectFontFaces, webFontFaces } from '@/lib/pdf/fonts/web-fonts';
import { missingGlyphs } from '@/lib/pdf/missing-glyphs';
import { textElement } from '@/tests/app/support/exports';
import { studioFont } from '@/tests/app/support/fonts';
import { glyphsOf } from '@/tests/app/support/read-pdf';
import { type DataDir, makeDataDir, makePrintingDataDir } from '@/tests/setup/temporary-dir';

let dataDir: DataDir;
let chromium: Awaited<ReturnType<typeof launchChromium>>;
beforeAll(async () => {
  dataDir = await makePrintingDataDir();
  chromium = await launchChromium({
    dataDir: dataDir.path,
    network: 'none',
    userDataDir: join(dataDir.path, 'profile'),
    log: { warn: () => {} },
  });
});
afterAll(async () => {
  await chromium?.close();
  await dataDir?.remove();
});

/** Sample texts in the scripts that documents support. */
const scripts = {
  Latin: 'Ærøy fjord ŵ ő ß “quoted” — 20 € Tiếng Việt',
  Greek: 'Ελληνικά ἄνθρωπος',
  Cyrillic: 'Кириллица Ґґ Ѣ',
  Arabic: 'العربية نصّ لا',
  Hebrew: 'עברית שָׁלוֹם',
  Devanagari: 'हिन्दी क्षत्रिय',
  Thai: 'ภาษาไทย ที่นี่',
  Georgian: 'ქართული',
  Armenian: 'Հայերեն',
  Bengali: 'বাংলা ক্ষ',
  Tamil: 'தமிழ்',
  Khmer: 'ភាសាខ្មែរ',
  Ethiopic: 'አማርኛ',
  Chinese: '简体中文直骨繁體龘',
  Japanese: '日本語ひらがなカタカナ直骨',
  Korean: '한국어 직물',
  'rare Chinese': '㐂𠮷𠀋',
  emoji: '😀 👩‍👩‍👧‍👦 👋🏽 🇳🇴 ❤️ 🏠 1️⃣ 🏳️‍🌈',
  signs: '→ ↔ ✓ ① ½ ∀ ∈ ℝ ∑ ⟨ ⟩ 𝔄 ♥ ■',
  'signs of schedules': 'H₂O m³ ⁿ ⅓ ⅔ ⅛ ☐ ☑ ☒ ✗ ⌥ ‣ ⌘ ✂ ☎ ✂\ufe0e',
};
const allWords = Object.values(scripts).join(' ');
const uncovered = '\u{12000}\uE000\u0378';

const CELL = 12;
const COLUMNS = 16;
const PX = 96 / 25.4;

function plan(pages: PageInput[]) {
  const document = projectDocument.parse({ version: 1, pages: documentPages.parse(pages) });
  return planSheets(document, 'Fonts', exportOptions.parse({}));
}

/** Lays out text as a grid with one grapheme per cell. */
function grid(text: string, style: { bold?: boolean; italic?: boolean } = {}) {
  const segments = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text);
  const characters = [...segments].map(({ segment }) => segment).filter((segment) => segment.trim() !== '');
  const elements = characters.map((character, index) =>
    textElement(`c${index}`, '', {
      x: (index % COLUMNS) * CELL,
      y: Math.floor(index / COLUMNS) * CELL,
      w: CELL,
      h: CELL,
      fontSize: 18,
      blocks: [{ type: 'paragraph', runs: [{ text: character, ...style }] }],
    }),
  );
  return { characters, plan: plan([{ id: 'grid', footer: false, elements }]) };
}

async function htmlOf(sheets: ReturnType<typeof plan>, fonts?: string) {
  return documentHtml({ plan: sheets, title: 'Fonts', images: new Map(), imageSource: 'data:', fonts });
}

async function withPage<T>(
  html: string,
  work: (page: Awaited<ReturnType<Browser['newPage']>>) => Promise<T>,
): Promise<T> {
  const page = await chromium.browser.newPage();
  try {
    await page.setJavaScriptEnabled(false);
    await page.setViewport({ width: Math.ceil(210 * PX), height: Math.ceil(297 * PX) });
    await page.emulateMediaType('print');
    await page.setContent(html, { waitUntil: 'load' });
    await page.evaluate('document.fonts.ready.then(() => true)');
    return await work(page);
  } finally {
    await page.close();
  }
}

/** Renders a grid and returns the gray values of each cell. */
async function picturesOf(html: string, count: number): Promise<Buffer[]> {
  const screen = await withPage(html, (page) => page.screenshot());
  const size = Math.floor(CELL * PX);
  // Decode the screenshot once, not once for each cell.
  const { data, info } = await sharp(screen).raw().toBuffer({ resolveWithObject: true });
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      sharp(data, { raw: info })
        .extract({
          left: Math.round((index % COLUMNS) * CELL * PX),
          top: Math.round(Math.floor(index / COLUMNS) * CELL * PX),
          width: size,
          height: size,
        })
        .removeAlpha()
        .greyscale()
        .raw()
        .toBuffer(),
    ),
  );
}

/** Measures the ink in a cell: the number of dark pixels, and the size of their bounding box. */
function inkOf(picture: Buffer) {
  const size = Math.floor(CELL * PX);
  const points = [...picture.keys()].filter((at) => (picture[at] ?? 255) < 200);
  const columns = points.map((at) => at % size);
  const rows = points.map((at) => Math.floor(at / size));
  const extent = (values: number[]) => Math.max(0, ...values) - Math.min(size, ...values);
  return { amount: points.length, width: extent(columns), height: extent(rows) };
}

const readLines = `(() => {
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    let bottom = null;
    for (let index = 0; index < node.data.length; index += 1) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      const rect = range.getClientRects()[0];
      if (!rect) continue;
      if (bottom === null || Math.abs(rect.bottom - bottom) > 2) lines.push('');
      bottom = rect.bottom;
      lines[lines.length - 1] += node.data[index];
    }
  }
  return lines;
})()`;
/** Returns a page's lines of text. */
function linesOf(html: string): Promise<string[]> {
  return withPage(html, async (page) => (await page.evaluate(readLines)) as string[]);
}

type UsedFont = { familyName: string; isCustomFont: boolean; glyphCount: number };
async function fontsUsed(html: string): Promise<UsedFont[]> {
  return withPage(html, async (page) => {
    const devtools = await page.createCDPSession();
    await devtools.send('DOM.enable');
    await devtools.send('CSS.enable');
    const { root } = await devtools.send('DOM.getDocument', { depth: -1 });
    const { nodeIds } = await devtools.send('DOM.querySelectorAll', {
      nodeId: root.nodeId,
      selector: 'p, h1, h2, li, td, th, span',
    });
    const used = await Promise.all(
      nodeIds.map((nodeId) => devtools.send('CSS.getPlatformFontsForNode', { nodeId })),
    );
    return used.flatMap(({ fonts }) => fonts);
  });
}

describe('the fonts of the printer', () => {
  test("the printer's fonts are made once for two simultaneous callers, as small files that any user may read", {
    tags: ['extended'],
  }, async () => {
    const fresh = await makeDataDir();
    const [folder, other] = await Promise.all([printFonts(fresh.path), printFonts(fresh.path)]);
    expect(other).toBe(folder);
    // The paths in `fonts.conf` are relative, so a moved installation still finds its fonts.
    expect(await readFile(join(folder, 'fonts.conf'), 'utf8')).not.toContain(fresh.path);
    const files = await readdir(join(folder, 'ttf'));
    const stats = await Promise.all(files.map((name) => stat(join(folder, 'ttf', name))));
    expect(stats.every(({ mode }) => (mode & 0o777) === 0o644)).toBe(true);
    expect((await stat(folder)).mode & 0o777).toBe(0o755);
    expect(stats.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(40e6);
    const left = await readdir(join(fresh.path, 'chromium'));
    expect(left.filter((name) => name.startsWith('fonts-'))).toHaveLength(1);
    await fresh.remove();
  });

  const styles = [{}, { bold: true }, { italic: true }, { bold: true, italic: true }];
  test.each(styles)(
    "the printer's fonts have glyphs for all scripts of documents: %j",
    { tags: ['extended'] },
    async (style) => {
      const { characters, plan: sheets } = grid(allWords + uncovered, style);
      expect(characters.length).toBeGreaterThan(120);
      const empty = grid('\uE000'.repeat(characters.length), style);
      const pictures = await picturesOf(await htmlOf(sheets), characters.length);
      const boxes = await picturesOf(await htmlOf(empty.plan), characters.length);
      const isBox = (_: unknown, index: number) => boxes[index]?.equals(pictures[index] ?? Buffer.alloc(0));
      expect(characters.filter((_, index) => inkOf(pictures[index] ?? Buffer.alloc(0)).amount < 5)).toEqual(
        [],
      );
      expect(characters.filter(isBox)).toEqual([...uncovered]);
    },
  );

  test("the printer's fonts show an empty box only for characters that they lack", async () => {
    const print = (html: string) =>
      withPage(html, (page) => page.pdf({ preferCSSPageSize: true, printBackground: true }));
    const all = grid(allWords);
    const known = await glyphsOf(await print(await htmlOf(all.plan)));
    expect(known.length).toBeGreaterThan(100);
    expect(known.filter(({ isEmptyBox }) => isEmptyBox)).toEqual([]);
    const unknown = await glyphsOf(await print(await htmlOf(grid(uncovered).plan)));
    expect(unknown.map(({ isEmptyBox }) => isEmptyBox)).toEqual([true, true, true]);
  });

  test("characters that languages share are drawn in the style of the text's language", async () => {
    const one = (text: string) =>
      plan([{ id: 'p', footer: false, elements: [textElement('t', text), textElement('n', '')] }]);
    const families = async (text: string) =>
      (await fontsUsed(await htmlOf(one(text)))).map(({ familyName }) => familyName);
    expect(await families('直骨')).toEqual(['Noto Sans SC']);
    expect(await families('直骨の')).toEqual(['Noto Sans JP']);
    expect(await families('한국어')).toEqual(['Noto Sans KR']);
  });
});

test('the editor takes the same symbols from DejaVu Sans as the printer', async () => {
  const css = await readFile('components/document/document-fonts.css', 'utf8');
  const listed = [...css.matchAll(/unicode-range:([^;]+);/g)].map(([, ranges = '']) =>
    ranges.split(',').map((range) => {
      const [first = '', last = first] = range.trim().slice(2).split('-');
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
    }),
  );
  const signs = (await mainFonts()).filter(({ family }) => family === 'DejaVu Sans');
  expect(signs.map(({ ranges }) => ranges)).toEqual(listed);
  expect(listed).toHaveLength(2);
});

describe('embedded fonts of a page', { tags: ['extended'] }, () => {
  test('a page with embedded fonts shows all scripts with these fonts only, and as in print', async () => {
    const { characters, plan: sheets } = grid(allWords);
    const fonts = await webFontFaces(sheets.sheets);
    const html = await htmlOf(sheets, fonts);
    const used = await fontsUsed(html);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter(({ isCustomFont }) => !isCustomFont)).toEqual([]);
    const there = await picturesOf(html, characters.length);
    const printed = await picturesOf(await htmlOf(sheets), characters.length);
    for (const [index, character] of characters.entries()) {
      const [a, b] = [there, printed].map((all) => inkOf(all[index] ?? Buffer.alloc(0)));
      const said = `${character}: ${JSON.stringify([a, b])}`;
      expect(Math.abs((a?.width ?? 0) - (b?.width ?? 0)), said).toBeLessThanOrEqual(1);
      expect(Math.abs((a?.height ?? 0) - (b?.height ?? 0)), said).toBeLessThanOrEqual(1);
      expect(a?.amount, said).toBeGreaterThan((b?.amount ?? 0) * 0.95);
      expect(a?.amount, said).toBeLessThan((b?.amount ?? 0) * 1.05);
    }
  });

  test('embedded fonts are small for Latin text, and contain no unused style', async () => {
    const words = plan([{ id: 'p', elements: [textElement('t', 'Plain words')] }]);
    const fonts = await webFontFaces(words.sheets);
    expect(fonts.length).toBeLessThan(60_000);
    expect(fonts.match(/@font-face/g)).toHaveLength(2);
    expect(fonts).not.toContain('italic');
  });
});

describe('the fonts of the library', () => {
  const words = 'Hamburgefonstiv Ægir';
  const elements = fontLibrary.map(({ name }, index) =>
    textElement(`f${index}`, '', {
      y: index * 20,
      font: name,
      blocks: [
        {
          type: 'paragraph',
          runs: [{ text: words }, { text: words, bold: true }, { text: words, italic: true }],
        },
      ],
    }),
  );

  test('each font of the library is drawn with its own files in print, and with the standard font where it lacks a character', async () => {
    const { sheets, ...rest } = plan([{ id: 'p', footer: false, elements }]);
    const used = await fontsUsed(await htmlOf({ sheets, ...rest }, await libraryFontFaces(sheets)));
    // In the files of some families, the family name includes a style.
    const isUsed = (name: string) => used.some(({ familyName }) => familyName.startsWith(name));
    expect(fontLibrary.map(({ name }) => name).filter((name) => !isUsed(name))).toEqual([]);
    expect(used.filter(({ isCustomFont }) => !isCustomFont)).toEqual([]);
    const mixed = plan([
      { id: 'p', footer: false, elements: [textElement('t', 'Oak 木', { font: 'Jost' })] },
    ]);
    const both = await fontsUsed(await htmlOf(mixed, await libraryFontFaces(mixed.sheets)));
    expect(both.map(({ familyName }) => familyName).sort()).toEqual(['Jost', 'Noto Sans SC']);
  });

  test('lines break alike in the preview and in print, in fonts of the library and of the project', async () => {
    const base64 = (await studioFont('Studio Serif')).toString('base64');
    const own = projectFontFaces([{ name: 'Studio Serif', bold: false, italic: false, base64 }]);
    const text =
      'Limewashed walls and a floor of oiled oak (木) hold the light of the bay through the day. Кириллица, Ελληνικά.';
    const runs = [{ text }, { text, bold: true, size: 8, tracking: 20 }, { text, italic: true }];
    const frames = ['EB Garamond', 'Montserrat', 'Studio Serif'].map((font, index) =>
      textElement(`f${index}`, '', {
        font,
        hyphenate: true,
        align: 'justify',
        x: index * 60,
        w: 50,
        h: 250,
        blocks: [{ type: 'paragraph', runs }],
      }),
    );
    const sheets = plan([{ id: 'p', footer: false, elements: frames }]);
    const preview = await linesOf(await htmlOf(sheets, (await webFontFaces(sheets.sheets)) + own));
    const printed = await linesOf(await htmlOf(sheets, (await libraryFontFaces(sheets.sheets)) + own));
    expect(preview.length).toBeGreaterThan(40);
    expect(printed).toEqual(preview);
    const standard = plan([
      { id: 'p', footer: false, elements: frames.map((frame) => ({ ...frame, font: null })) },
    ]);
    expect(await linesOf(await htmlOf(standard))).not.toEqual(preview);
  });

  test('a document that uses no font of the library embeds none for print', async () => {
    expect(await libraryFontFaces(plan([{ id: 'p', elements: [textElement('t', words)] }]).sheets)).toBe('');
  });

  test('an unknown font is drawn as the standard font, even if its name is a CSS keyword', async () => {
    const unknown = plan([
      { id: 'p', footer: false, elements: [textElement('t', words, { font: 'serif' })] },
    ]);
    const used = await fontsUsed(await htmlOf(unknown, await libraryFontFaces(unknown.sheets)));
    expect(used.map(({ familyName }) => familyName)).toEqual(['Noto Sans']);
  });
});

describe('missing glyphs', () => {
  test('a character that no font has is reported with its page and element, wherever it is', async () => {
    const bad = (text: string) => `${text} \uE000`;
    const frame = { x: 0, w: 50, h: 50 };
    const pages: PageInput[] = [
      {
        id: 'first',
        title: bad('Title'),
        elements: [
          textElement('text', '\u{12000}\u{12000}\u0378 words', { y: 0 }),
          {
            ...frame,
            y: 60,
            id: 'table',
            type: 'table',
            columns: [{ label: bad('head') }],
            rows: [['x'], [bad('cell')]],
          },
          {
            ...frame,
            y: 120,
            id: 'material',
            type: 'material',
            materialId: 'm',
            title: 'Oak',
            rows: [{ label: 'a', value: bad('b') }],
          },
          textElement('fine', `${allWords}\t\n\u200b\u2028\u00ad`),
        ],
      },
    ];
    const document = projectDocument.parse({ version: 1, pages, cover: { subtitle: bad('Cover') } });
    const options = exportOptions.parse({ includecover: true, includeToc: true });
    const { sheets } = planSheets(document, 'Project', options);
    const warnings = missingGlyphs(sheets, await printedCharacters(dataDir.path), []);
    expect(warnings.map(({ pageId, elementId }) => [pageId, elementId])).toEqual([
      [null, null],
      [null, null],
      ['first', null],
      ['first', 'text'],
      ['first', 'table'],
      ['first', 'material'],
    ]);
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('the character U+E000 on the cover'),
      expect.stringContaining('the character U+E000 in the contents'),
      expect.stringContaining('the character U+E000.'),
      expect.stringContaining('the characters \u{12000} (U+12000), U+0378.'),
      expect.stringContaining('U+E000'),
      expect.stringContaining('U+E000'),
    ]);
  });

  test('a character that only a rarely used font has is reported missing only next to one that no font has', async () => {
    const printed = await printedCharacters(dataDir.path);
    expect(missingCharacters('★ ⌘', printed)).toEqual([]);
    expect(missingCharacters('\uE000 ★ ⌘', printed)).toEqual(['\uE000', '⌘']);
    const print = (html: string) =>
      withPage(html, (page) => page.pdf({ preferCSSPageSize: true, printBackground: true }));
    const sheets = (text: string) => plan([{ id: 'p', footer: false, elements: [textElement('t', text)] }]);
    const boxesIn = async (text: string) =>
      (await glyphsOf(await print(await htmlOf(sheets(text))))).filter(({ isEmptyBox }) => isEmptyBox).length;
    expect(await boxesIn('★ ⌘')).toBe(0);
    expect(await boxesIn('\uE000 ★ ⌘')).toBe(2);
  });

  test('a sign that only a font of the project has is printed, and reported missing only in other fonts', async () => {
    // Makes U+E000 the only character of the font, drawn with the glyph of A.
    const toSign = (tables: Map<string, Buffer>) => {
      const cmap = restrictCmap(tables.get('cmap') ?? Buffer.alloc(4), [[0x41, 0x41]]);
      for (const offset of [28, 32]) cmap.writeUInt32BE(0xe000, offset);
      tables.set('cmap', cmap);
    };
    const base64 = (await studioFont('Signs', { change: toSign })).toString('base64');
    const regular = { name: 'Signs', bold: false, italic: false, base64 };
    // A damaged font has no characters.
    const fonts = [regular, { ...regular, name: 'Damaged', base64: base64.slice(0, 200) }];
    const elements = [
      textElement('own', 'A \uE000', { font: 'Signs' }),
      textElement('bold', '\uE000', { font: 'Signs', bold: true }),
      textElement('another-sign', '\uE001', { font: 'Signs' }),
      textElement('damaged', '\uE000', { font: 'Damaged' }),
      textElement('standard', '\uE000'),
    ].map((element, index) => ({ ...element, y: index * 50 }));
    const planned = plan([{ id: 'p', footer: false, elements }]);
    const warnings = missingGlyphs(
      planned.sheets,
      await printedCharacters(dataDir.path),
      await fontCoverage(fonts),
    );
    expect(warnings.map(({ elementId }) => elementId)).toEqual(['another-sign', 'damaged', 'standard']);
    const html = await htmlOf(planned, projectFontFaces(fonts));
    const pdf = await withPage(html, (page) => page.pdf({ preferCSSPageSize: true, printBackground: true }));
    expect((await glyphsOf(pdf)).filter(({ isEmptyBox }) => isEmptyBox)).toHaveLength(3);
  });

  test('overlapping ranges of characters in a damaged font are read only once', {
    tags: ['extended'],
  }, async () => {
    const cmap = restrictCmap(Buffer.alloc(4), []);
    const groups = Array.from({ length: 1000 }, () => [0, 0xffffffff, 1]).flat();
    const damaged = Buffer.concat([cmap, Buffer.alloc(4 * groups.length)]);
    damaged.writeUInt32BE(1000, 24);
    for (const [index, value] of groups.entries()) damaged.writeUInt32BE(value, 28 + 4 * index);
    expect(codePoints(damaged)).toEqual([[0, 0x10ffff]]);
  });

  test('the set of printed characters is read from the font files', async () => {
    const printed = await printedCharacters(dataDir.path);
    const has = (text: string) => [...text].map((one) => isIn(printed.all, one.codePointAt(0) ?? 0));
    expect(has(allWords.replace(/\s|\u200d|\ufe0e|\ufe0f/g, '')).every(Boolean)).toBe(true);
    expect(has(uncovered)).toEqual([false, false, false]);
  });
});
