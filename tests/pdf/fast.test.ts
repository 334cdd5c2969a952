import { readdir } from 'node:fs/promises';
import { PDFDocument } from '@cantoo/pdf-lib';
import type { Target } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentHtml } from '@/app/document-html';
import type { PageInput } from '@/lib/document/page-model';
import type { RenderHtml } from '@/lib/pdf/make-pdf';
import { cleanSvg } from '@/lib/storage/svg/clean-svg';
import { textElement } from '@/tests/app/support/exports';
import { studioFont } from '@/tests/app/support/fonts';
import { readPdf } from '@/tests/app/support/read-pdf';
import { accessibilityProblems } from '@/tests/pdf/support/accessibility-problems';
import { photo, studioPage } from '@/tests/pdf/support/documents';
import { inspectPdf } from '@/tests/pdf/support/inspect-pdf';
import { paintedPages } from '@/tests/pdf/support/painted';
import { openPrintShop, type PrintShop, type ShopFile } from '@/tests/pdf/support/print-shop';

type Element = PageInput['elements'][number];

let shop: PrintShop;
const files: Record<string, ShopFile> = {};
beforeAll(async () => {
  shop = await openPrintShop();
  for (const seed of [1, 2, 3, 4, 5]) files[`photo-${seed}`] = await photo(1200, 700, { seed });
  files.cover = await photo(2200, 1400, { seed: 8 });
  files.swatch = await photo(256, 256, { seed: 9 });
  files.fading = await photo(300, 200, { seed: 10, seeThrough: true });
});
afterAll(() => shop?.close());

const pagesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => studioPage(at + 1, `photo-${(at % 5) + 1}`, 'swatch'));
const MM = 72 / 25.4;
const paper = { A4: [210, 297], letter: [215.9, 279.4] } as const;

type Case = { count: number; format: 'A4' | 'letter'; orientation: 'portrait' | 'landscape'; extra: boolean };
// These cases cover each combination of format and orientation, and documents of one, two and four parts. With `extra`,
// the document has a cover and a table of contents.
const cases: Case[] = [
  { count: 1, format: 'letter', orientation: 'landscape', extra: false },
  { count: 10, format: 'A4', orientation: 'portrait', extra: true },
  { count: 10, format: 'A4', orientation: 'landscape', extra: false },
  { count: 10, format: 'letter', orientation: 'portrait', extra: false },
  { count: 10, format: 'letter', orientation: 'landscape', extra: true },
  { count: 20, format: 'A4', orientation: 'portrait', extra: false },
  { count: 146, format: 'A4', orientation: 'landscape', extra: true },
];

describe('a document that is printed in parts', () => {
  const title =
    'a document of $count pages printed in parts is complete as $format $orientation, with cover and contents: $extra';
  async function isComplete(way: Case) {
    const { count, format, orientation, extra } = way;
    const done: number[] = [];
    const { pdf, warnings } = await shop.fast({
      pages: pagesOf(count),
      document: { cover: { title: 'Ein Haus “am Meer” (1)', path: 'cover' } },
      options: { format, orientation, includecover: extra, includeToc: extra },
      files,
      report: (sheets) => done.push(sheets),
    });
    expect(warnings).toEqual([]);
    const { problems, fonts, images } = await inspectPdf(pdf);
    expect(problems).toEqual([]);
    expect(fonts.length).toBeGreaterThan(0);
    expect(fonts.filter(({ embedded }) => !embedded)).toEqual([]);
    // Each image is in the file once, regardless of how many pages and parts show it.
    expect(images).toBe(Math.min(count, 5) + (extra ? 2 : 1));

    const read = await readPdf(new Uint8Array(pdf));
    const before = read.pages.length - count;
    const [short, long] = paper[format];
    const [width, height] = orientation === 'portrait' ? [short, long] : [long, short];
    for (const page of read.pages) {
      expect(Math.abs(page.width - width * MM)).toBeLessThan(0.01);
      expect(Math.abs(page.height - height * MM)).toBeLessThan(0.01);
    }
    expect([read.isTagged, read.language, read.title]).toEqual([true, 'en', 'Ein Haus “am Meer” (1)']);
    for (const [index, { text, images: shown, urls }] of read.pages.slice(before).entries()) {
      expect(text).toContain(`Room ${index + 1}1. Limewashed`);
      expect(text).toMatch(
        new RegExp(`Lamp 11 ${11 * (index + 1)} brass.*Room № ${index + 1} ${before + index + 1}$`),
      );
      expect(shown).toBe(3);
      expect(urls).toEqual([1, 2, 3].map((part) => `https://example.com/${index + 1}?(${part})`));
    }
    const contents = read.pages.slice(0, before).filter(({ targets }) => targets.length > 0);
    expect(contents.flatMap(({ targets }) => targets)).toEqual(
      extra ? Array.from({ length: count }, (_, index) => before + index + 1) : [],
    );
    // Titles contain numbers too, so look only in the right half of the page, where page numbers are.
    const numbers = contents.flatMap(({ pieces, width: whole }) =>
      pieces.filter(({ text, x }) => /^\d+$/.test(text) && x > whole / 2),
    );
    expect(numbers.map(({ text }) => Number(text))).toEqual(contents.flatMap(({ targets }) => targets));
    expect(read.outline.slice(extra ? 2 : 0)).toEqual(
      Array.from({ length: count }, (_, index) => ({
        title: `Room № ${index + 1}`,
        page: before + index + 1,
        top: expect.closeTo(height * MM, 2),
        inner: [`Room ${index + 1}`],
      })),
    );
    expect(done.at(-1)).toBe(read.pages.length - 1);
    expect(done).toEqual([...done].sort((a, b) => a - b));
  }
  test.each(cases.filter(({ count }) => count === 20))(title, isComplete);
  test.each(cases.filter(({ count }) => count !== 20))(title, { tags: ['extended'] }, isComplete);

  test('a document printed in parts follows PDF/UA-1, in its own language', {
    tags: ['extended'],
  }, async () => {
    const run = (text: string) => [{ text }];
    const texts: Element = {
      id: 'texts',
      type: 'text',
      x: 20,
      y: 20,
      w: 120,
      h: 90,
      fill: '#f4f0e8',
      blocks: [
        { type: 'heading', level: 3, runs: run('Rommet') },
        {
          type: 'paragraph',
          runs: [{ text: 'Eik', bold: true }, { text: ' og ' }, { text: 'lin', italic: true }],
        },
        {
          type: 'list',
          ordered: true,
          items: [run('Gulv'), [...run('Vegg '), { text: 'malt', bold: true }], []],
        },
        { type: 'paragraph', runs: [{ text: 'Prøver', link: 'https://example.com/(a)', underline: true }] },
      ],
    };
    const ring: Element = {
      id: 'ring',
      type: 'shape',
      kind: 'ellipse',
      x: 20,
      y: 220,
      w: 20,
      h: 20,
      fill: '#804020',
    };
    const decorative: Element = { id: 'photo', type: 'image', x: 20, y: 120, w: 120, h: 70, path: 'photo-1' };
    const { pdf } = await shop.fast({
      pages: [
        { id: 'a', elements: [texts, ring] },
        studioPage(1, 'photo-1', 'swatch'),
        { id: 'b', elements: [decorative] },
      ],
      document: { language: 'nb-NO', cover: { title: 'Hytte & <sjø>', path: 'cover' } },
      options: { includecover: true, includeToc: true },
      files,
    });
    expect((await inspectPdf(pdf)).problems).toEqual([]);
    const { pages, outline, language } = await readPdf(new Uint8Array(pdf));
    expect(language).toBe('nb-NO');
    expect(outline.map(({ title }) => title)).toEqual([
      'Hytte & <sjø>',
      'Innhold',
      'Side 3',
      'Room № 1',
      'Side 5',
    ]);
    expect(pages[1]?.text).toBe('InnholdSide 3 3Room № 1 4Side 5 5');
  });

  test('the outline has the headings of a page below its title, except one that repeats the title', {
    tags: ['extended'],
  }, async () => {
    const heading = (id: string, level: 1 | 2, words: string, y: number) => ({
      ...textElement(id, '', { y }),
      blocks: [{ type: 'heading' as const, level, runs: [{ text: words }] }],
    });
    const elements = [
      heading('a', 1, 'Mood  board', 20),
      heading('b', 2, 'Oak', 60),
      heading('c', 1, 'Light', 100),
    ];
    const { pdf } = await shop.fast({ pages: [{ id: 'p', title: 'Mood board', elements }] });
    const { outline } = await readPdf(new Uint8Array(pdf));
    expect(outline).toMatchObject([{ title: 'Mood board', inner: ['Oak', 'Light'] }]);
  });

  test('a master is printed on each page that uses it, as an artifact below the elements of the page', async () => {
    const line = (id: string, text: string, y: number, more: object = {}): Element => ({
      id,
      type: 'text',
      x: 20,
      y,
      w: 150,
      h: 10,
      blocks: [{ type: 'paragraph', runs: [{ text, ...more }] }],
    });
    const logo: Element = {
      id: 'text',
      type: 'image',
      x: 150,
      y: 10,
      w: 40,
      h: 20,
      alt: 'Logo',
      path: 'photo-1',
    };
    const heading: Element = {
      ...line('head', '', 10),
      type: 'text',
      blocks: [{ type: 'heading', level: 1, runs: [{ text: 'Nordlys' }] }],
    };
    const footer = line('foot', '{title}: {page} of {pages}', 280, { link: 'https://example.com' });
    const own = line('text', 'Own text', 100);
    const tall = line('tall', 'Much text. '.repeat(40), 40);
    const order = {
      pages: [
        { id: 'a', title: 'Lobby', elements: [own] },
        { id: 'b', footer: false, masterId: 'bare', background: '#ffeedd', elements: [] },
        { id: 'c', footer: false, elements: [own] },
        { id: 'd', footer: false, masterId: 'none', elements: [own] },
      ],
      document: {
        masters: [
          { id: 'default', title: 'Default', background: '#f4f0e8', elements: [logo, heading, tall, footer] },
          { id: 'bare', elements: [] },
        ],
      },
      options: { includecover: true },
      files,
    };
    const { pdf, warnings } = await shop.fast(order);
    const { problems, images } = await inspectPdf(pdf);
    expect([problems, images]).toEqual([[], 1]);
    const { pages, outline } = await readPdf(new Uint8Array(pdf));
    expect(pages.map(({ images: shown }) => shown)).toEqual([0, 1, 0, 1, 0]);
    expect(pages[1]?.text).toContain('Lobby: 2 of 5');
    // The page's own footer does not repeat the title and number that the master shows in the same place.
    expect(pages[1]?.text.split('Lobby')).toHaveLength(2);
    expect(pages[3]?.text).toContain('Page 4: 4 of 5');
    expect(pages[4]?.text).toBe('Own text');
    expect(pages.flatMap(({ urls }) => urls)).toEqual([]);
    expect(outline.flatMap(({ inner }) => inner)).toEqual([]);
    // The warning is about the element of the master, not about the page's element with the same id.
    expect(new Set(warnings.map(({ pageId, elementId }) => `${pageId} ${elementId}`))).toEqual(
      new Set(['default tall']),
    );
    const plain = await shop.plain(order);
    const [one, other] = [await paintedPages(pdf), await paintedPages(plain.pdf)];
    for (const [index, page] of one.entries()) expect(page.painted).toEqual(other[index]?.painted);
  });

  test.each([
    [{ format: 'A3' }, 297, 420],
    [{ format: '16:9', orientation: 'landscape' }, 338.67, 190.5],
    [{ format: 'square' }, 210, 210],
    [{ format: 'custom', customSize: { width: 50, height: 999.99 } }, 50, 999.99],
    [{ format: 'custom', customSize: { width: 1000, height: 123.45 } }, 1000, 123.45],
  ] as const)(
    'the pages of a document on %j are %d × %d mm',
    { tags: ['extended'] },
    async (document, width, height) => {
      const order = { pages: pagesOf(2), document, options: { ...document, includeToc: true }, files };
      for (const { pdf } of [await shop.fast(order), await shop.plain(order)]) {
        const loaded = await PDFDocument.load(pdf);
        for (const page of loaded.getPages()) {
          expect(Math.abs(page.getWidth() - width * MM)).toBeLessThan(0.01);
          expect(Math.abs(page.getHeight() - height * MM)).toBeLessThan(0.01);
        }
      }
    },
  );

  test('text in fonts of the library and of the project is embedded as text, hyphenated and tagged', {
    tags: ['extended'],
  }, async () => {
    const base64 = (await studioFont('Studio Sans')).toString('base64');
    const projectFonts = [{ name: 'Studio Sans', bold: false, italic: false, base64 }];
    const text = textElement('text', '', {
      w: 40,
      h: 60,
      font: 'EB Garamond',
      hyphenate: true,
      blocks: [
        { type: 'heading', level: 1, runs: [{ text: 'Oak', font: 'Work Sans', tracking: 50 }] },
        {
          type: 'paragraph',
          spaceAfter: 5,
          lineHeight: 1.1,
          runs: [
            { text: 'Hyphenation of documentation and representation, 4 m' },
            { text: '2', position: 'superscript' },
            { text: ' of linked samples', link: 'https://example.com/', size: 14, color: '#5f2c52' },
            { text: ' of the studio', font: 'Studio Sans' },
          ],
        },
        // Two blocks with paragraph styles. The heading's style is not bold.
        { type: 'paragraph', style: { id: 'a', font: 'Lora', bold: true }, runs: [{ text: 'Lora' }] },
        {
          type: 'heading',
          level: 2,
          style: { id: 'b', font: 'Jost', fontSize: 9 },
          runs: [{ text: 'Jost' }],
        },
      ],
    });
    const { pdf, warnings } = await shop.fast(
      { pages: [{ id: 'p', title: 'Fonts', elements: [text] }] },
      { render: (input) => shop.tools.render({ ...input, projectFonts }) },
    );
    expect(warnings).toEqual([]);
    const { problems, fonts } = await inspectPdf(pdf);
    expect(fonts.map(({ name }) => name.replace(/^\/[A-Z]{6}\+/, '')).sort()).toEqual([
      'EBGaramond-Regular',
      'Jost-Regular',
      'Lora-Bold',
      'NotoSans-Regular',
      'StudioSans-Regular',
      'WorkSans-Bold',
    ]);
    expect(problems).toEqual([]);
    const { pages } = await readPdf(new Uint8Array(pdf));
    expect(pages[0]?.text).toContain('documen-tation');
  });

  test('a document without any text or description is printed in parts too', {
    tags: ['extended'],
  }, async () => {
    const pages = [
      { id: 'a', elements: [{ id: 'i', type: 'image', x: 0, y: 0, w: 210, h: 297, path: 'cover' } as const] },
    ];
    const { pdf } = await shop.fast({ pages, files });
    expect((await inspectPdf(pdf)).problems).toEqual([]);
  });

  test('a document printed in one piece has the same paper size, and lacks what splicing adds for screen readers', {
    tags: ['extended'],
  }, async () => {
    const { pdf } = await shop.plain({ pages: pagesOf(2), files });
    const document = await PDFDocument.load(pdf);
    for (const page of document.getPages()) {
      const { width, height } = page.getSize();
      expect([Math.abs(width - 210 * MM) < 0.01, Math.abs(height - 297 * MM) < 0.01]).toEqual([true, true]);
    }
    // These expected problems also prove that the check finds problems at all.
    const problems = accessibilityProblems(document).map((words) =>
      words.replace(/^page \d+: /, '').replace(/\d+ op/, 'op'),
    );
    expect([...new Set(problems)].sort()).toEqual([
      'H2 follows no heading (7.4.2)',
      'Table contains content (7.2)',
      'a link has no description (7.18.5)',
      'operators paint outside of tags and artifacts (7.1)',
      'the language is missing or not in the metadata (7.2)',
      'the metadata does not name PDF/UA-1 (5)',
      'the metadata has no title (7.1)',
    ]);
  });

  test('the progress of a document printed in parts is one half once its images are made', {
    tags: ['extended'],
  }, async () => {
    const done: number[] = [];
    const before: (number | undefined)[] = [];
    const render: RenderHtml = (input) => {
      before.push(done.at(-1));
      return documentHtml(input);
    };
    await shop.fast({ pages: pagesOf(10), files, report: (sheets) => done.push(sheets) }, { render });
    expect([before, done.at(-1)]).toEqual([[5], 9]);
  });

  test('a document printed in parts renders like one printed in one piece', async () => {
    const turned = {
      id: 'turned',
      type: 'image',
      x: 120,
      y: 20,
      w: 40,
      h: 30,
      rotation: 12,
      path: 'photo-3',
    } as const;
    const order = {
      pages: pagesOf(16).map((page, at) =>
        at % 7 === 0
          ? {
              ...page,
              background: '#f4f0e8',
              elements: [
                ...(page.elements ?? []),
                { ...turned, crop: { x: 0.2, y: 0.1, w: 0.5, h: 0.6 } },
                { ...turned, id: 'contained', x: 20, y: 240, rotation: 0, fit: 'contain' as const },
                { ...turned, id: 'outside', x: 400, rotation: 0 },
                { ...turned, id: 'hair', x: 10, y: 10, w: 0.1, h: 30, rotation: 0 },
                {
                  id: 'ring',
                  type: 'shape',
                  kind: 'ellipse',
                  x: 90,
                  y: 220,
                  w: 20,
                  h: 20,
                  stroke: '#804020',
                } as const,
              ],
            }
          : page,
      ),
      options: { includecover: true, includeToc: true, format: 'letter' } as const,
      files,
    };
    const [fast, plain] = [await shop.fast(order), await shop.plain(order)];
    const [one, other] = [await paintedPages(fast.pdf), await paintedPages(plain.pdf)];
    expect(one.length).toBe(other.length);
    for (const [index, page] of one.entries())
      expect(page.painted, `page ${index + 1}`).toEqual(other[index]?.painted);
    expect(fast.warnings).toEqual(plain.warnings);
  });

  test('a table that runs over pages repeats its header and shows the images in its cells, in both ways to print', async () => {
    const frame = { id: 't', type: 'table', x: 20, y: 20, w: 100, h: 80 } as const;
    const picture = { path: 'photo-1', alt: 'An oiled board', height: 15, text: 'Oak' };
    const rows = Array.from({ length: 9 }, (_, row) => [row % 2 ? picture : 'Ash', `Row ${row}`]);
    const columns = [{ label: 'Material' }, { label: 'Place', align: 'right' as const }];
    const order = {
      pages: [
        { id: 'a', elements: [{ ...frame, columns, rows, flowId: 'f', breaks: [4, 8] }] },
        { id: 'b', elements: [{ ...frame, columns: [{ label: '' }], rows: [], continues: 'f' }] },
        { id: 'c', elements: [{ ...frame, columns: [{ label: '' }], rows: [], continues: 'f' }] },
      ],
      options: { pages: '2-3' },
      files,
    };
    const [fast, plain] = [await shop.fast(order), await shop.plain(order)];
    expect([fast.warnings, plain.warnings]).toEqual([[], []]);
    expect(accessibilityProblems(await PDFDocument.load(fast.pdf))).toEqual([]);
    for (const { pdf } of [fast, plain]) {
      const { pages } = await readPdf(new Uint8Array(pdf));
      expect(pages.map(({ text }) => text)).toEqual([
        'Material PlaceAsh Row 4OakRow 5Ash Row 6OakRow 7Page 2 2',
        'Material PlaceAsh Row 8Page 3 3',
      ]);
      expect(pages.map(({ images }) => images)).toEqual([2, 0]);
    }
    const [one, other] = [await paintedPages(fast.pdf), await paintedPages(plain.pdf)];
    expect(one.map(({ painted }) => painted)).toEqual(other.map(({ painted }) => painted));
  });

  test('transparent images are kept in a document printed in parts, with colors as good as those of opaque ones', async () => {
    const element = { id: 'i', type: 'image', x: 20, y: 20, w: 60, h: 40, path: 'fading' } as const;
    const order = { pages: [{ id: 'p', elements: [element] }], files };
    const [fast, plain] = [await shop.fast(order), await shop.plain(order)];
    const [one] = await paintedPages(fast.pdf);
    const [other] = await paintedPages(plain.pdf);
    expect(one?.painted.length).toBe(other?.painted.length);
    const [mine, theirs] = [one?.images[0], other?.images[0]];
    expect([mine?.width, mine?.height]).toEqual([theirs?.width, theirs?.height]);
    let colorDistance = 0;
    let most = 0;
    for (const [at, value] of mine?.pixels.entries() ?? []) {
      const distance = Math.abs(value - (theirs?.pixels[at] ?? 0));
      if (at % 4 === 3) most = Math.max(most, distance);
      // Chromium stores colors premultiplied by alpha, so mostly transparent pixels lose their exact colors.
      else if ((theirs?.pixels[at - (at % 4) + 3] ?? 0) > 64) colorDistance += distance;
    }
    expect(most).toBe(0);
    expect(colorDistance / (mine?.pixels.length ?? 0)).toBeLessThan(1);
    expect(mine?.pixels.length).toBe(theirs?.pixels.length);
    expect(fast.pdf.length).toBeLessThan(plain.pdf.length);
  });

  test('a document printed in parts is laid out without loading an image', {
    tags: ['extended'],
  }, async () => {
    const requests: string[] = [];
    const watch = async (target: Target) => {
      const page = await target.page();
      page?.on('request', (request) => requests.push(request.url().replace(/^data:.*/s, 'data:')));
    };
    const { browser } = shop.chromium;
    browser.on('targetcreated', watch);
    try {
      // Print twice, because the page that prints the first document may have been opened before the listener was
      // added.
      for (let time = 0; time < 2; time += 1) await shop.fast({ pages: pagesOf(3), files });
    } finally {
      browser.off('targetcreated', watch);
    }
    expect(requests).toContain('data:');
    expect(requests.filter((url) => url !== 'data:' && url !== 'about:blank')).toEqual([]);
  });

  test('a document printed in parts is the same, byte for byte, every time', {
    tags: ['extended'],
  }, async () => {
    const order = { pages: pagesOf(30), options: { includeToc: true }, files };
    const first = await shop.fast(order);
    for (let time = 0; time < 2; time += 1) {
      // Print another document at the same time, so the order of events differs.
      const [again] = await Promise.all([shop.fast(order), shop.fast({ pages: pagesOf(14), files })]);
      expect(again.pdf.equals(first.pdf)).toBe(true);
    }
  });
});

test('a second export prints the images that the first one derived', async () => {
  const order = {
    pages: [studioPage(1, 'other', 'swatch')],
    document: { cover: { title: 'A', path: 'cover' } },
    options: { includecover: true },
    files: { ...files, other: await photo(900, 600, { seed: 11 }) },
  };
  // The folder does not exist before the first image is stored. Folders of exports are temporary.
  const stored = async () =>
    (await readdir(shop.folder, { recursive: true }).catch(() => []))
      .filter((name) => !name.startsWith('export-'))
      .sort();
  const before = await stored();
  await shop.fast(order);
  const derived = await stored();
  expect(derived.length).toBeGreaterThan(before.length);
  const { pdf } = await shop.fast(order);
  expect((await inspectPdf(pdf)).images).toBe(3);
  expect(await stored()).toEqual(derived);
});

test('an SVG is printed as vectors on both paths, with its description, even when it is rotated or in a PDF/A', async () => {
  const { svg, width, height } = cleanSvg(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50">
      <linearGradient id="fade"><stop stop-color="#f00"/><stop offset="1" stop-color="#00f"/></linearGradient>
      <clipPath id="round"><circle cx="50" cy="25" r="24"/></clipPath>
      <g clip-path="url(#round)" opacity=".5"><path d="M0 0h100v50H0z" fill="url(#fade)"/></g>
      <path d="M0 0h9v9z" fill="#6b345e"/></svg>`),
  );
  const logo = { type: 'image', path: 'logo', alt: 'The logo', x: 20, y: 20, w: 80, h: 60 } as const;
  const order = {
    pages: [
      {
        id: 'page',
        elements: [
          { ...logo, id: 'a' },
          { ...logo, id: 'b', y: 120, rotation: 20, fit: 'contain' as const },
        ],
      },
    ],
    files: { logo: { width, height, bytes: null } },
    drawings: new Map([['logo', svg]]),
    options: { pdfA: true },
  };
  const { pdf, warnings } = await shop.fast(order);
  expect(warnings).toEqual([]);
  expect((await inspectPdf(pdf)).problems).toEqual([]);
  const document = await PDFDocument.load(pdf);
  expect(await accessibilityProblems(document)).toEqual([]);
  for (const file of [pdf, (await shop.plain(order)).pdf]) {
    const [page] = await paintedPages(file);
    expect(page?.images).toEqual([]);
    expect(page?.painted.join()).toMatch(/6b345e/i);
  }
});
