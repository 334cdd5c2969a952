import { readdir } from 'node:fs/promises';
import { PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { documentHtml } from '@/app/document-html';
import type { CoverSettings, PageInput } from '@/lib/document/page-model';
import { testSplice } from '@/lib/pdf/fast/self-test';
import type { RenderHtml } from '@/lib/pdf/make-pdf';
import { IMAGE_ORIGIN, printHtml } from '@/lib/pdf/print-html';
import { SpliceRefusal } from '@/lib/pdf/splice/chunk-pdf';
import { makePlaceholders, placeholderName } from '@/lib/pdf/splice/placeholder';
import { readPart, splicePdfs } from '@/lib/pdf/splice/splice-pdfs';
import { readPdf } from '@/tests/app/support/read-pdf';
import { photo, studioPage } from '@/tests/pdf/support/documents';
import { paintedPages } from '@/tests/pdf/support/painted';
import { type Order, openPrintShop, type PrintShop, type ShopFile } from '@/tests/pdf/support/print-shop';

const MM = 72 / 25.4;
let shop: PrintShop;
const files: Record<string, ShopFile> = {};
let jpeg: Uint8Array;
let order: Order;
beforeAll(async () => {
  shop = await openPrintShop();
  const made = await photo(1200, 700, { seed: 1 });
  jpeg = made.bytes;
  files.photo = made;
  files.swatch = await photo(300, 300, { seed: 2 });
  order = { pages: [1, 2, 3].map((number) => studioPage(number, 'photo', 'swatch')), files };
});
beforeEach(() => {
  shop.logged.length = 0;
});
afterAll(() => shop?.close());

/** Returns a renderer that adds CSS to the document's own HTML. */
const styled =
  (css: string): RenderHtml =>
  async (input) =>
    (await documentHtml(input)).replace('</style>', `${css}</style>`);

async function printed(
  html: string,
  more: Partial<Parameters<typeof printHtml>[2]> = {},
): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(600_000);
  const job = { html, signal, ...more };
  const { pdf } = await printHtml(shop.chromium.browser, () => shop.chromium.close(), job);
  return pdf;
}

describe('printing in one piece', () => {
  test('a document whose images do not come out as placed is printed in one piece', {
    tags: ['extended'],
  }, async () => {
    // An image painted through a filter is no longer embedded as the original JPEG.
    const { pdf } = await shop.make(order, { render: styled('img { filter: grayscale(1); }') });
    expect(shop.logged).toEqual([{ reason: '9 of 9 images are missing.' }]);
    const { pages } = await readPdf(new Uint8Array(pdf));
    expect(pages.map(({ images }) => images)).toEqual([3, 3, 3]);
  });

  test('a document whose images are not drawn as planned is printed in one piece', {
    tags: ['extended'],
  }, async () => {
    const twice: RenderHtml = async (input) => (await documentHtml(input)).replace(/<img[^>]*>/, '$&$&');
    expect(
      (await readPdf(new Uint8Array((await shop.make(order, { render: twice })).pdf))).pages,
    ).toHaveLength(3);
    const fewer: RenderHtml = async (input) => (await documentHtml(input)).replace(/<img[^>]*>/, '');
    expect(
      (await readPdf(new Uint8Array((await shop.make(order, { render: fewer })).pdf))).pages,
    ).toHaveLength(3);
    expect(shop.logged).toEqual([
      { reason: 'The images are not in the planned order.' },
      { reason: 'The images are not in the planned order.' },
    ]);
  });

  test('a document with an unplanned number of pages is printed in one piece, and fails when the number is still wrong', async () => {
    const more: RenderHtml = async (input) =>
      (await documentHtml(input)).replace(
        '</body>',
        '<section class="doc-sheet" style="height: 50mm">more</section></body>',
      );
    await expect(shop.make(order, { render: more })).rejects.toThrow('The PDF has 4 pages instead of 3.');
    expect(shop.logged).toEqual([{ reason: 'There are 4 pages instead of 3.' }]);
  });

  test('a document is printed in parts when nothing is wrong', async () => {
    const { pdf } = await shop.make(order);
    expect(shop.logged).toEqual([]);
    expect(pdf.equals((await shop.fast(order)).pdf)).toBe(true);
    expect((await readdir(shop.folder)).filter((name) => name.startsWith('export-')).length).toBeLessThan(2);
  });
});

describe('splicing parts', () => {
  const html = (body: string) => `<!doctype html><html lang="en"><title>t</title><body>${body}</body></html>`;

  test('parts that are not structured the way Chromium writes them are refused', async () => {
    const pdf = await printed(html('<h1>one</h1>'));
    expect((await readPart(pdf)).chunk.pages).toHaveLength(1);
    const loaded = await PDFDocument.load(pdf);
    for (const useObjectStreams of [true, false]) {
      const other = await loaded.save({ useObjectStreams });
      await expect(readPart(other)).rejects.toThrow(SpliceRefusal);
    }
    await expect(readPart(pdf.subarray(0, pdf.length - 200))).rejects.toThrow(SpliceRefusal);
    await expect(readPart(Buffer.concat([Buffer.from(' '), pdf]))).rejects.toThrow(SpliceRefusal);
    await expect(readPart(Buffer.from('no PDF'))).rejects.toThrow(SpliceRefusal);
  });

  test('a blank page, whose content Chromium does not compress, is read', {
    tags: ['extended'],
  }, async () => {
    const blank = await printed('<!doctype html><html><head><title>t</title></head><body></body></html>');
    const { chunk } = await readPart(blank);
    const contents = [...chunk.objects.values()].filter(
      ({ text, stream }) => stream && !text.includes('/Type'),
    );
    expect(contents.map(({ text }) => text)).toEqual([expect.not.stringContaining('/Filter')]);
    expect((await readPart(await printed(html('<h1>one</h1>')))).chunk.pages).toHaveLength(1);
  });

  test('parts with an image that is not a placeholder, or with an unknown placeholder, are refused', async () => {
    const image = async () => ({
      body: jpeg,
      contentType: 'image/jpeg' as const,
    });
    const strange = await printed(html(`<img src="${IMAGE_ORIGIN}0">`), { image });
    await expect(readPart(strange)).rejects.toThrow('The PDF contains an image that is not a placeholder.');
    const unknown = await printed(html(`<img src="${(await makePlaceholders())('7')}">`));
    const splice = {
      parts: [await readPart(unknown)],
      pages: 1,
      required: new Set<string>(),
      image: () => undefined,
      title: 't',
      language: 'en',
      outline: [],
      attachment: null,
      archiveProfile: null,
      anchor: String,
      pageNumber: (page: number) => page + 1,
      pageTitle: String,
      linkBase: '#',
    };
    expect(() => splicePdfs(splice)).toThrow('1 images are not expected.');
  });

  test('the self-test at the start fails if printed pages cannot be spliced', async () => {
    await testSplice(printed);
    const filtered = (page: string) => printed(page.replace('</style>', 'img { filter: invert(1) }</style>'));
    await expect(testSplice(filtered)).rejects.toThrow(SpliceRefusal);
    const unlinked = (page: string) => printed(page.replace('<a href', '<a data-href'));
    await expect(testSplice(unlinked)).rejects.toThrow('Links are not printed as links.');
    const twoPages = (page: string) =>
      printed(page.replace('<a ', '<p style="break-after: page">first</p><a '));
    await expect(testSplice(twoPages)).rejects.toThrow('There are 4 pages instead of 2.');
  });

  test('the name of a placeholder can be read from its bytes, and other images have none', {
    tags: ['extended'],
  }, async () => {
    const url = (await makePlaceholders())('12.3.4');
    expect(placeholderName(Buffer.from(url.split(',')[1] ?? '', 'base64'))).toBe('12.3.4');
    expect(placeholderName(jpeg)).toBeNull();
    expect(placeholderName(Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 0]))).toBeNull();
  });
});

describe('canceled exports', () => {
  test('an export canceled between its parts or within one ends at once, and leaves nothing behind', {
    tags: ['extended'],
  }, async () => {
    const pages = Array.from({ length: 60 }, (_, at) => studioPage(at + 1, 'photo', 'swatch'));
    for (const when of ['drawn', 'printed']) {
      const off = new AbortController();
      const render: RenderHtml = async (input) => {
        const html = await documentHtml(input);
        if (when === 'drawn') setImmediate(() => off.abort(new Error('canceled')));
        return html;
      };
      const report = () => when === 'printed' && off.abort(new Error('canceled'));
      const work = shop.make({ pages, files, signal: off.signal, report }, { render });
      await expect(work).rejects.toThrow('canceled');
    }
    // One of the contexts holds the page that is ready for the next export.
    expect(shop.chromium.browser.browserContexts().length).toBeLessThanOrEqual(2);
    expect((await shop.make(order)).pdf.length).toBeGreaterThan(0);
  });

  test('an export canceled while it is read returns no more of its file', {
    tags: ['extended'],
  }, async () => {
    const off = new AbortController();
    const reading = shop.streamFast({ ...order, signal: off.signal }, async ({ pdf }) => {
      for await (const piece of pdf) off.abort(new Error(`canceled after ${piece.length > 0}`));
    });
    await expect(reading).rejects.toThrow('canceled after true');
  });
});

test('eight documents printed at once are correct, each as if it were alone', {
  tags: ['extended'],
}, async () => {
  const orders = Array.from({ length: 8 }, (_, at) => ({
    ...order,
    pages: Array.from({ length: 14 }, (__, page) => studioPage(100 * at + page, 'photo', 'swatch')),
  }));
  const all = await Promise.all(orders.map((each) => shop.make(each)));
  for (const [at, { pdf }] of all.entries()) {
    const { pages } = await readPdf(new Uint8Array(pdf));
    expect(pages).toHaveLength(14);
    expect(pages.at(-1)?.text).toContain(`Room ${100 * at + 13}`);
  }
  expect(shop.logged).toEqual([]);
  expect((await shop.make(orders[3] ?? order)).pdf.equals(all[3]?.pdf ?? Buffer.alloc(0))).toBe(true);
});

test('an image that cannot be shown becomes a gray frame and a warning with the reason', {
  tags: ['extended'],
}, async () => {
  const broken = { width: 100, height: 100, bytes: Buffer.from('no image') };
  const pages = [studioPage(1, 'photo', 'broken'), studioPage(2, 'gone', 'swatch')];
  const gone = { width: 1200, height: 700, bytes: null };
  const { warnings, pdf } = await shop.make({ pages, files: { ...files, broken, gone } });
  expect(warnings).toEqual([
    { code: 'image_missing', pageId: 'page-1', elementId: 'left', message: 'The image file cannot be read.' },
    {
      code: 'image_missing',
      pageId: 'page-1',
      elementId: 'right',
      message: 'The image file cannot be read.',
    },
    { code: 'image_missing', pageId: 'page-2', elementId: 'photo', message: 'The image file is missing.' },
  ]);
  expect(shop.logged).toEqual([]);
  expect((await readPdf(new Uint8Array(pdf))).pages.map(({ images }) => images)).toEqual([1, 2]);
});

test('an empty frame prints nothing, and is reported, as are elements outside their page', async () => {
  const words = { id: 'text', type: 'text' as const, x: 150, y: 20, w: 80, h: 20, blocks: [] };
  const gone = {
    id: 'gone',
    type: 'shape' as const,
    kind: 'rect' as const,
    x: 20,
    y: 300,
    w: 9,
    h: 9,
    fill: '#804020',
  };
  const bled = { ...gone, id: 'bled', y: 10, x: -0.4 };
  const empty = { id: 'empty', type: 'image' as const, x: 20, y: 60, w: 50, h: 50 };
  const page = { id: 'p', elements: [words, gone, bled] };
  const { pdf, warnings } = await shop.make({ pages: [{ ...page, elements: [...page.elements, empty] }] });
  expect(warnings.map(({ code, elementId, message }) => [code, elementId, message])).toEqual([
    ['off_page', 'text', 'A part of the element is outside of the page and is not printed.'],
    ['image_missing', 'empty', 'The image frame is empty; nothing is printed in its place.'],
    ['off_page', 'gone', 'The element is outside of the page and is not printed.'],
  ]);
  const [one] = await paintedPages(pdf);
  const [other] = await paintedPages((await shop.make({ pages: [page] })).pdf);
  expect(one?.painted).toEqual(other?.painted);
});

test('a long title is set smaller to fit below the image of the cover, and one that cannot fit is reported', {
  tags: ['extended'],
}, async () => {
  const cover = {
    subtitle: 'Second issue',
    client: 'The Bergström family',
    date: 'Winter 2026',
    path: 'photo',
  };
  const print = async (title: string, more: Partial<CoverSettings> = {}) => {
    const { pdf, warnings } = await shop.make({
      pages: [{ id: 'p', elements: [] }],
      document: { cover: { ...cover, title, ...more } },
      options: { orientation: 'landscape', includecover: true },
      files,
    });
    const [sheet] = (await readPdf(new Uint8Array(pdf))).pages;
    return {
      size: sheet?.pieces.find(({ text }) => text.startsWith(title.slice(0, 5)))?.size,
      overflows: warnings.filter(({ code }) => code === 'text_overflow'),
    };
  };
  const short = await print('Villa Nordlys');
  expect([Math.round(short.size ?? 0), short.overflows]).toEqual([34, []]);
  const long = await print(`Villa Nordlys – ${'an interior presentation '.repeat(7)}`.slice(0, 190).trim());
  expect(long.size).toBeLessThan(30);
  expect(long.overflows).toEqual([]);
  const wide = (length: number) => '㍿'.repeat(length);
  const tooLong = await print(wide(200), { subtitle: wide(300), client: wide(200), date: wide(100) });
  expect(tooLong.overflows).toEqual([
    {
      code: 'text_overflow',
      pageId: null,
      elementId: null,
      message: "The cover's text does not fit its sheet; the overflow is not printed.",
    },
  ]);
});

test('the elements of a page are tagged from top to bottom, and those that overlap keep their painting order', async () => {
  const text = (id: string, words: string, y: number, fill: string | null = null) => ({
    id,
    type: 'text' as const,
    x: 20,
    y,
    w: 100,
    h: 20,
    fill,
    blocks: [{ type: 'paragraph' as const, runs: [{ text: words }] }],
  });
  // Overlapping elements keep their painting order: the first of these is covered by the second.
  const elements = [
    text('d', 'covered', 200),
    text('e', 'covering', 190, '#ffffff'),
    text('c', 'third', 120),
    text('b', 'second', 60),
    text('a', 'first', 20),
  ];
  const { pdf } = await shop.make({ pages: [{ id: 'p', footer: false, elements }] });
  const [page] = (await readPdf(new Uint8Array(pdf))).pages;
  expect(page?.text).toBe('firstsecondthirdcoveredcovering');
  expect(page?.taggedText).toEqual(['first', 'second', 'third', 'covering', 'covered']);
});

test('right-to-left text starts at the right, and left-to-right text at the left', async () => {
  const words = { latin: 'Villa', arabic: 'فيلا نوردليس' };
  const elements = Object.values(words).map((text, at) => ({
    id: `t${at}`,
    type: 'text' as const,
    x: 20,
    y: 20 + at * 40,
    w: 150,
    h: 20,
    blocks: [{ type: 'paragraph' as const, runs: [{ text }] }],
  }));
  const { pdf } = await shop.make({ pages: [{ id: 'p', footer: false, elements }] });
  const [page] = (await readPdf(new Uint8Array(pdf))).pages;
  const xs = page?.pieces.map(({ x }) => x / MM) ?? [];
  expect(xs[0]).toBeLessThan(22);
  expect(Math.min(...xs.slice(1))).toBeGreaterThan(120);
});

test('right-to-left titles, headings, lists, cells, facts and contents start at the right', {
  tags: ['extended'],
}, async () => {
  const title = 'فيلا نوردليس';
  const runs = [{ text: title }];
  const place = { x: 20, w: 170, h: 40 };
  const elements: PageInput['elements'] = [
    {
      id: 't',
      type: 'text',
      ...place,
      y: 20,
      blocks: [
        { type: 'heading', level: 1, runs },
        { type: 'list', ordered: false, items: [runs] },
        { type: 'list', ordered: true, items: [runs] },
      ],
    },
    {
      id: 'm',
      type: 'material',
      ...place,
      y: 80,
      materialId: 'oak',
      title,
      swatch: '#aa8866',
      rows: [{ label: '1', value: title }],
    },
    { id: 'g', type: 'table', ...place, y: 140, columns: [{ label: title }], rows: [[title]] },
  ];
  const { pdf, warnings } = await shop.make({
    pages: [{ id: 'p', title, elements }],
    document: { cover: { title } },
    options: { includecover: true, includeToc: true },
  });
  const { pages } = await readPdf(new Uint8Array(pdf));
  expect(pages).toHaveLength(3);
  for (const { pieces } of pages) {
    const arabic = pieces.filter(({ text }) => /[\u0600-\u06ff\ufe70-\ufefc]/.test(text));
    expect(arabic.length).toBeGreaterThan(0);
    for (const { text, x } of arabic) expect(x / MM, text).toBeGreaterThan(100);
  }
  // A list marker must be within the frame, or it would be cut off. Only the number's position can be checked, because
  // Chromium draws bullets as shapes.
  expect(warnings).toEqual([]);
  const numbers = pages.flatMap(({ pieces }) => pieces).filter(({ text }) => text === '1');
  expect(numbers.filter(({ x }) => x / MM > 180 && x / MM < 190)).toHaveLength(1);
});

test('images have the requested resolution', { tags: ['extended'] }, async () => {
  const large = { large: await photo(3000, 1500, { seed: 4 }) };
  const page = {
    id: 'p',
    elements: [{ id: 'i', type: 'image', x: 0, y: 0, w: 127, h: 63.5, path: 'large' } as const],
  };
  const widths: (number | undefined)[] = [];
  for (const quality of ['screen', 'print', 'archive'] as const) {
    const { pdf } = await shop.fast({ pages: [page], files: large, options: { quality } });
    widths.push(Number(/\/Subtype \/Image\n\/Width (\d+)/.exec(pdf.toString('latin1'))?.[1]));
  }
  // The frame is five inches wide, so these are 110, 200 and 300 dpi.
  expect(widths).toEqual([550, 1000, 1500]);
});
