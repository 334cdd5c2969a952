import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  type PDFPage,
  PDFRawStream,
} from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageInput } from '@/lib/document/page-model';
import { openBytes } from '@/lib/specs/pdf/open-pdf';
import { readPdf } from '@/tests/app/support/read-pdf';
import { photo } from '@/tests/pdf/support/documents';
import { inspectPdf } from '@/tests/pdf/support/inspect-pdf';
import { jpegsOf } from '@/tests/pdf/support/jpegs';
import { contentOf, fillColors, filledAreas, imagesPlaced } from '@/tests/pdf/support/page-content';
import { openPrintShop, type PrintShop, type ShopFile } from '@/tests/pdf/support/print-shop';

const MM = 72 / 25.4;
let shop: PrintShop;
const files: Record<string, ShopFile> = {};
beforeAll(async () => {
  shop = await openPrintShop();
  files.photo = await photo(1200, 900, { seed: 3 });
});
afterAll(() => shop?.close());

const words = (text: string) => [{ type: 'paragraph' as const, runs: [{ text }] }];
const frame = { x: 20, y: 20, w: 100, h: 20 };

/** Returns pages titled “Page a”, “Page b” and so on, with a background and a shape that extends past the page. */
function pagesTitled(...names: string[]): PageInput[] {
  return names.map((name) => ({
    id: name,
    title: `Page ${name}`,
    background: '#3366cc',
    elements: [
      { ...frame, id: 'text', type: 'text', blocks: words(`Text of ${name}`) },
      { id: 'over', type: 'shape', kind: 'rect', x: -10, y: 100, w: 50, h: 40, fill: '#cc3311' },
    ],
  }));
}

async function checked(pdf: Buffer) {
  expect((await inspectPdf(pdf)).problems).toEqual([]);
  return PDFDocument.load(pdf, { updateMetadata: false });
}
/** Returns the undecoded bytes of a stream. */
function bytesOf(value: PDFObject | undefined): Buffer {
  if (!(value instanceof PDFRawStream)) throw new Error('The value is not a stream.');
  return Buffer.from(value.getContents());
}
const boxOf = (page: PDFPage, key: string) =>
  page.node
    .lookup(PDFName.of(key), PDFArray)
    .asArray()
    .map((value) => Math.round((Number(String(value)) / MM) * 100) / 100);

describe('an export of some pages', () => {
  test('pages keep their numbers in the footer, the contents, the links and the labels', async () => {
    const { pdf } = await shop.fast({
      pages: pagesTitled('a', 'b', 'c', 'd', 'e'),
      options: { includecover: true, includeToc: true, pages: '2, 4-' },
    });
    const document = await checked(pdf);
    const labels = await (await openBytes(new Uint8Array(pdf))).getPageLabels();
    expect(document.getPageCount()).toBe(5);
    // The cover and the contents are pages 1 and 2, so “Page b”, the second of the other pages, has the number 4.
    expect(labels).toEqual(['1', '2', '4', '6', '7']);
    const read = await readPdf(new Uint8Array(pdf));
    expect(read.pages.slice(2).map(({ text }) => /Text of (\w).*?(\d+)$/.exec(text)?.slice(1))).toEqual([
      ['b', '4'],
      ['d', '6'],
      ['e', '7'],
    ]);
    expect(read.pages[1]?.text).toMatch(/Page b 4Page d 6Page e 7$/);
    expect(read.pages[1]?.targets).toEqual([3, 4, 5]);
    expect(read.outline.map(({ title, page }) => [title, page]).slice(2)).toEqual([
      ['Page b', 3],
      ['Page d', 4],
      ['Page e', 5],
    ]);
  });
});

describe('the layout of the cover and the contents', () => {
  const logo = { ...frame, id: 'logo', type: 'image' as const, path: 'logo', x: 150, w: 40 };
  const line = {
    ...frame,
    id: 'line',
    type: 'text' as const,
    y: 250,
    blocks: words('{title}: {page} of {pages}'),
  };
  const master = { id: 'front', background: '#112233', elements: [logo, line] };

  test.each([
    ['top', { x: 22, image: { width: 210, height: 178.2 } }],
    ['left', { x: 127, image: { width: 105, height: 297 } }],
    ['full', { x: 22, image: { width: 210, height: 297 } }],
  ] as const)(
    'a cover with the image layout %s has its text beside the image, and its own font and master',
    { tags: ['extended'] },
    async (layout, { x, image }) => {
      files.logo ??= await photo(80, 40, { seed: 9 });
      const { pdf, warnings } = await shop.fast({
        pages: pagesTitled('a', 'b'),
        document: {
          cover: { title: 'House', path: 'photo', layout, font: 'Lora', titleSize: 50, masterId: 'front' },
          contents: { title: 'Rooms', font: 'Lora', color: '#aa2200', masterId: 'front' },
          masters: [master],
        },
        options: { includecover: true, includeToc: true },
        files,
      });
      expect(warnings.filter(({ code }) => code !== 'low_resolution')).toEqual([]);
      const { problems, images, fonts } = await inspectPdf(pdf);
      expect([problems, images]).toEqual([[], 2]);
      expect(fonts.filter(({ name }) => name.includes('Lora')).length).toBeGreaterThan(0);
      const read = await readPdf(new Uint8Array(pdf));
      const [cover, contents, page] = read.pages;
      expect(cover?.pieces.find(({ text }) => text === 'House')).toMatchObject({
        x: expect.closeTo(x * MM, 0),
        size: expect.closeTo(50, 0),
      });
      expect(cover?.text).toContain('House: 1 of 4');
      expect(contents?.text).toContain('Rooms: 2 of 4');
      expect(contents?.taggedText.join(' ')).not.toContain('2 of 4');
      expect([cover, contents, page].map((one) => one?.images)).toEqual([2, 1, 0]);
      const document = await PDFDocument.load(pdf, { updateMetadata: false });
      const placed = imagesPlaced(contentOf(document.getPage(0)));
      // The image is scaled to cover its area on the page, so it is at least as large as the area.
      const shown = placed.find(({ width }) => width >= image.width * MM - 1 && width > 100 * MM);
      expect(shown && shown.height / MM).toBeGreaterThanOrEqual(image.height - 0.5);
    },
  );

  test('a cover aligned at the right and a master that was removed print without a warning', {
    tags: ['extended'],
  }, async () => {
    const { pdf, warnings } = await shop.fast({
      pages: pagesTitled('a'),
      document: { cover: { title: 'House', align: 'right', valign: 'top', masterId: 'gone' } },
      options: { includecover: true },
    });
    expect(warnings).toEqual([]);
    const [cover] = (await readPdf(new Uint8Array(pdf))).pages;
    expect(cover?.pieces.find(({ text }) => text === 'House')?.x).toBeGreaterThan(120 * MM);
  });
});

describe('an export with bleed and crop marks', () => {
  test('every page has the boxes, the bleed is painted, and the marks stay out of the bleed', async () => {
    const cover = { title: 'House', background: '#224422', path: 'photo' };
    const { pdf } = await shop.fast({
      pages: pagesTitled('a'),
      document: { cover },
      options: { includecover: true, includeToc: true, bleed: 3, cropMarks: true },
      files,
    });
    const document = await checked(pdf);
    expect(document.getPageCount()).toBe(3);
    for (const page of document.getPages()) {
      expect(boxOf(page, 'MediaBox')).toEqual([0, 0, 226, 313]);
      expect(boxOf(page, 'BleedBox')).toEqual([5, 5, 221, 308]);
      expect(boxOf(page, 'TrimBox')).toEqual([8, 8, 218, 305]);
      const content = contentOf(page);
      const marks = [...content.matchAll(/^([\d.]+) ([\d.]+) m ([\d.]+) ([\d.]+) l S$/gm)];
      const lines = marks.map((mark) => mark.slice(1).map((at) => Math.round((Number(at) / MM) * 100) / 100));
      expect(lines).toHaveLength(8);
      for (const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] of lines) {
        expect(x1 === x2 ? [8, 218].includes(x1) : y1 === y2 && [8, 305].includes(y1)).toBe(true);
        const [from, to] = x1 === x2 ? [y1, y2] : [x1, x2];
        expect(to <= 5 || from >= (x1 === x2 ? 308 : 221)).toBe(true);
      }
      expect(content).toMatch(/^\/Artifact BMC\nq\n\/Registration CS 1 SCN/);
      const color = page.node.Resources()?.lookup(PDFName.of('ColorSpace'), PDFDict);
      expect(String(color?.lookup(PDFName.of('Registration')))).toContain('/Separation /All /DeviceGray');
    }
  });

  test('backgrounds and elements that extend past the page are painted up to the edge of the bleed', async () => {
    const { pdf } = await shop.fast({ pages: pagesTitled('a'), options: { bleed: 3 } });
    const plain = await shop.fast({ pages: pagesTitled('a'), options: {} });
    const [page] = (await checked(pdf)).getPages();
    const [flush] = (await checked(plain.pdf)).getPages();
    if (!page || !flush) throw new Error('A page is missing.');
    expect(boxOf(page, 'MediaBox')).toEqual([0, 0, 216, 303]);
    expect(boxOf(page, 'TrimBox')).toEqual([3, 3, 213, 300]);
    expect(flush.node.has(PDFName.of('TrimBox'))).toBe(false);
    const inMm = (page: PDFPage, color: string) =>
      filledAreas(contentOf(page))
        .filter((area) => area.color === color)
        .map(({ box }) => box.map((at) => Math.round(at / MM) + 0));
    // The background fills the paper, including the bleed. The shape starts 10 mm left of the page, and is cut off at
    // the edge of the bleed.
    expect(inMm(page, '0.2 0.4 0.8')).toEqual([[0, 0, 216, 303]]);
    expect(inMm(page, '0.8 0.2 0.0667')).toEqual([[0, 160, 43, 200]]);
    expect(inMm(flush, '0.2 0.4 0.8')).toEqual([[0, 0, 210, 297]]);
    expect(inMm(flush, '0.8 0.2 0.0667')).toEqual([[0, 157, 40, 197]]);
  });

  test('an image or area that ends at the edge of its page is reported if the export has a bleed', {
    tags: ['extended'],
  }, async () => {
    const at = (id: string, x: number) =>
      ({ id, type: 'shape', kind: 'rect', x, y: 50, w: 40, h: 40, fill: '#cc3311' }) as const;
    const pages: PageInput[] = [{ id: 'p', elements: [at('edge', 0), at('over', -3), at('inside', 30)] }];
    const reported = async (bleed: number) =>
      (await shop.make({ pages, options: { bleed } })).warnings.map(({ code, elementId }) => [
        code,
        elementId,
      ]);
    expect(await reported(3)).toEqual([['no_bleed', 'edge']]);
    expect(await reported(0)).toEqual([]);
  });
});

describe('a material at a true scale', () => {
  const material = (ratio: 1 | 2 | 5, more: object = {}) => ({
    id: 'oak',
    type: 'material' as const,
    x: 20,
    y: 20,
    w: 100,
    h: 100,
    materialId: 'oak',
    title: 'Oak',
    path: 'photo',
    trueScale: { ratio, width: 200, height: 150 },
    ...more,
  });

  test.each([
    [1, 200, 150, 1, 50],
    [2, 100, 75, 1, 50],
    [5, 40, 30, 6, 40],
  ] as const)(
    'at 1:%d, a texture of 200 × 150 mm repeats every %d × %d mm, and the scale bar is exact',
    { tags: ['extended'] },
    async (...given) => {
      const [ratio, width, height, count, bar] = given;
      const pages = [{ id: 'p', footer: false, elements: [material(ratio)] }];
      const { pdf, warnings } = await shop.make({ pages, files });
      expect(warnings.filter(({ code }) => code === 'not_to_scale')).toEqual([]);
      const [page] = (await checked(pdf)).getPages();
      if (!page) throw new Error('The page is missing.');
      const content = contentOf(page);
      const tiles = imagesPlaced(content).map(({ x, y, width: w, height: h }) =>
        [x, y, w, h].map((at) => at / MM),
      );
      expect(tiles).toHaveLength(count);
      const [first = []] = tiles;
      for (const [x = 0, y = 0, w = 0, h = 0] of tiles) {
        expect(Math.abs(w - width - 0.05)).toBeLessThan(0.02);
        expect(Math.abs(h - height - 0.05)).toBeLessThan(0.02);
        const [across, down] = [(x - (first[0] ?? 0)) / width, ((first[1] ?? 0) - y) / height];
        expect(Math.abs(across - Math.round(across)) * width).toBeLessThan(0.02);
        expect(Math.abs(down - Math.round(down)) * height).toBeLessThan(0.02);
      }
      const bars = filledAreas(content).filter(({ box: [, bottom, , top] }) => (top - bottom) / MM < 1);
      expect(bars.map(({ box: [left, , right] }) => Math.round(((right - left) / MM) * 100) / 100)).toEqual([
        bar,
      ]);
      expect((await readPdf(new Uint8Array(pdf))).pages[0]?.text).toContain(
        `${(bar * ratio) / 10} cm (1:${ratio})`,
      );
    },
  );

  test('a material that cannot be printed at its scale is reported', { tags: ['extended'] }, async () => {
    const reported = async (element: object, format: 'A4' | 'letter') => {
      const pages = [{ id: 'p', elements: [{ ...material(5), ...element }] }];
      const { warnings } = await shop.make({ pages, files, options: { format } });
      return warnings.flatMap(({ code, message }) => (code === 'not_to_scale' ? [message] : []));
    };
    expect(await reported({}, 'letter')).toEqual([
      'The page is scaled to 94% of its size, so the material is not at 1:5.',
    ]);
    const tiny = { trueScale: { ratio: 5, width: 20, height: 20 } };
    expect(await reported(tiny, 'A4')).toEqual([
      'The frame is too large to fill with the material at its scale.',
    ]);
  });
});

test('nearly black text and rules print with black ink alone if that option is set', async () => {
  const pages: PageInput[] = [
    {
      id: 'p',
      footer: false,
      elements: [
        { ...frame, id: 'text', type: 'text', blocks: words('Black') },
        { ...frame, y: 50, id: 'navy', type: 'text', color: '#0a1a5c', blocks: words('Navy') },
        {
          ...{ ...frame, y: 60, id: 'styled', type: 'text', color: '#0a1a5c' },
          blocks: words('Black').map((block) => ({ ...block, style: { id: 'text' } })),
        },
        { id: 'rule', type: 'shape', kind: 'rect', x: 20, y: 80, w: 100, h: 0.5, fill: '#222222' },
        { id: 'area', type: 'shape', kind: 'rect', x: 20, y: 100, w: 100, h: 50, fill: '#222222' },
      ],
    },
  ];
  const colors = async (pureBlack: boolean) => {
    const { pdf } = await shop.fast({ pages, options: { pureBlack } });
    const [page] = (await checked(pdf)).getPages();
    return page ? fillColors(contentOf(page)) : new Set();
  };
  const gray = '.1333 .1333 .1333 rg';
  const navy = '.0392 .102 .3608 rg';
  expect(await colors(true)).toEqual(new Set(['1 1 1 rg', '0 g', navy, gray]));
  expect(await colors(false)).toEqual(new Set(['1 1 1 rg', '.1216 .1373 .1569 rg', navy, gray]));
});

test('an export as PDF/A-2a states the standard and its colors, and meets what PDF/A adds to PDF/UA', async () => {
  const { pdf } = await shop.fast({
    pages: [
      {
        id: 'p',
        elements: [
          { ...frame, id: 'text', type: 'text', blocks: words('Archive') },
          { ...frame, y: 60, h: 60, id: 'photo', type: 'image', path: 'photo', alt: 'A photo' },
          {
            ...frame,
            y: 150,
            id: 'link',
            type: 'text',
            blocks: [{ type: 'paragraph', runs: [{ text: 'Link', link: 'https://example.com/' }] }],
          },
        ],
      },
    ],
    options: { pdfA: true, quality: 'archive' },
    files,
  });
  const document = await checked(pdf);
  const { catalog, context } = document;
  const xmp = bytesOf(catalog.lookup(PDFName.of('Metadata'))).toString('utf8');
  expect(xmp).toContain('<pdfaid:part>2</pdfaid:part>');
  expect(xmp).toContain('<pdfaid:conformance>A</pdfaid:conformance>');
  expect(xmp).toContain('<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>');
  const intent = catalog.lookup(PDFName.of('OutputIntents'), PDFArray).lookup(0, PDFDict);
  expect(String(intent.get(PDFName.of('S')))).toBe('/GTS_PDFA1');
  const profile = bytesOf(intent.lookup(PDFName.of('DestOutputProfile')));
  // An ICC profile names its class and color space at fixed offsets (ICC.1, 7.2).
  expect(profile.toString('latin1', 12, 20)).toBe('mntrRGB ');
  expect(profile.readUInt32BE(0)).toBe(profile.length);
  expect(String(context.trailerInfo.ID)).toMatch(/^\[ <[0-9a-f]{32}> <[0-9a-f]{32}> \]$/i);
  for (const [, value] of context.enumerateIndirectObjects()) {
    const dict = value instanceof PDFRawStream ? value.dict : value;
    if (!(dict instanceof PDFDict)) continue;
    const key = (name: string) => String(dict.get(PDFName.of(name)) ?? '');
    // As ISO 19005-2 requires, links have the Print flag (6.3.2), and images are not interpolated (6.2.8.1). There are
    // no scripts, launch actions, embedded files or LZW streams.
    if (key('Subtype') === '/Link') expect(Number(key('F')) & 4).toBe(4);
    expect(key('Interpolate')).not.toBe('true');
    expect(['/JavaScript', '/Launch', '/EmbeddedFile']).not.toContain(key('S') || key('Type'));
    expect(key('Filter')).not.toContain('LZW');
  }
});

test('images for archives keep their full color resolution at quality 92', async () => {
  const { pdf } = await shop.fast({
    pages: [
      { id: 'p', elements: [{ ...frame, h: 75, id: 'i', type: 'image', path: 'photo', alt: 'A photo' }] },
    ],
    options: { quality: 'archive' },
    files,
  });
  const document = await checked(pdf);
  const images = jpegsOf(document);
  expect(images).toHaveLength(1);
  const [jpeg = Buffer.alloc(0)] = images;
  expect((await sharp(jpeg).metadata()).chromaSubsampling).toBe('4:4:4');
  // In the luminance table of the JPEG standard, the first value is 16 at quality 50, and 3 at quality 92.
  const table = jpeg.indexOf(Buffer.from([0xff, 0xdb]));
  expect(jpeg[table + 5]).toBeLessThanOrEqual(3);
});
