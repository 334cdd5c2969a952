import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { overBudget } from '@/lib/document/budget';
import { documentLabels } from '@/lib/document/document-labels';
import { marginsOf } from '@/lib/document/margins';
import { documentPages, link, NO_MASTER, type PageInput, pageData } from '@/lib/document/page-model';
import { isPageRange, missingPage, pagesInRange } from '@/lib/document/page-range';
import { pdfName } from '@/lib/document/pdf-name';
import { exportOptions, projectDocument, sheetOptionsOf } from '@/lib/document/schema';
import { pageNumber, planSheets, sheetSize } from '@/lib/document/sheets';
import { parseDocumentBody, parseExport, parseSaved } from '@/lib/export/parse-body';
import {
  describePathInDocument,
  exportBody,
  printOptions,
  renderQuery,
  savedDocument,
} from '@/lib/export/schema';
import { joinBytes } from '@/lib/http/join-bytes';
import { checkInput, parseInput } from '@/lib/http/parse';
import { anyText } from '@/tests/setup/any-text';

const frame = { id: 'e', x: 0, y: 0, w: 10, h: 10 };
const text = { ...frame, type: 'text' as const, blocks: [] };
const pageOf = (element: object) => ({ id: 'p', elements: [element] });
const accepts = (element: object) => pageData.safeParse(pageOf(element)).success;

test('a parsed page parses to itself', () => {
  const once = pageData.parse(
    pageOf({ ...text, blocks: [{ type: 'paragraph', runs: [{ text: ' a\n\tb ' }] }] }),
  );
  expect(pageData.parse(once)).toEqual(once);
  expect(once.elements[0]).toMatchObject({ z: 0, rotation: 0, locked: false, fontSize: 11 });
});

test('a field that pages do not have is not stored', () => {
  const page = pageData.parse(pageOf({ ...text, onclick: 'alert(1)' }));
  expect(page).toEqual(pageData.parse(pageOf(text)));
});

describe('pageData', () => {
  test.each<[string, object]>([
    ['a number that is NaN', { ...text, x: Number.NaN }],
    ['infinity', { ...text, y: Number.POSITIVE_INFINITY }],
    ['a frame beyond all paper', { ...text, w: 2001 }],
    ['a frame without extent', { ...text, h: 0 }],
    ['an unknown kind', { ...frame, type: 'html', html: '<b>' }],
    ['an unknown shape', { ...frame, type: 'shape', kind: 'path' }],
    ['a color that is CSS', { ...text, color: 'red;background:url(https://x)' }],
    ['a color with a character after it', { ...text, fill: '#ffffff\n' }],
    ['half a surrogate pair', { ...text, blocks: [{ type: 'paragraph', runs: [{ text: 'a\ud800' }] }] }],
    ['a control character', { ...text, blocks: [{ type: 'paragraph', runs: [{ text: 'a\u0007' }] }] }],
    [
      'a text that is too long',
      { ...text, blocks: [{ type: 'paragraph', runs: [{ text: 'x'.repeat(20_001) }] }] },
    ],
    ['an id that is markup', { ...text, id: '"><script>' }],
    ['an image named twice', { ...frame, type: 'image', imageId: crypto.randomUUID(), path: 'images/x' }],
    ['a crop beyond the image', { ...frame, type: 'image', crop: { x: 0.5, y: 0, w: 0.6, h: 1 } }],
    [
      'a table of 301 rows',
      { ...frame, type: 'table', columns: [{ label: '' }], rows: Array(301).fill(['']) },
    ],
    ['a ragged table', { ...frame, type: 'table', columns: [{ label: '' }], rows: [['a', 'b']] }],
  ])('a page with %s is refused', (_, element) => {
    expect(accepts(element)).toBe(false);
  });

  test('too many pages or elements, and duplicate ids, are refused', () => {
    const pages = Array.from({ length: 201 }, (_, n): PageInput => ({ id: `p${n}`, elements: [] }));
    expect(documentPages.safeParse(pages).success).toBe(false);
    expect(documentPages.safeParse(pages.slice(1)).success).toBe(true);
    const elements = Array.from({ length: 201 }, (_, n) => ({ ...text, id: `e${n}` }));
    expect(pageData.safeParse({ id: 'p', elements }).success).toBe(false);
    expect(pageData.safeParse({ id: 'p', elements: elements.slice(1) }).success).toBe(true);
    expect(pageData.safeParse({ id: 'p', elements: [text, text] }).success).toBe(false);
    expect(documentPages.safeParse([pageOf(text), pageOf(text)]).success).toBe(false);
  });

  test('more images than can be fetched are refused', () => {
    const element = { ...frame, type: 'image' as const, path: 'images/x' };
    const elements = Array.from({ length: 200 }, (_, n) => ({ ...element, id: `e${n}` }));
    const pages = Array.from({ length: 5 }, (_, n) => ({ id: `p${n}`, elements }));
    expect(documentPages.safeParse(pages).success).toBe(false);
    expect(documentPages.safeParse(pages.slice(1)).success).toBe(true);
  });
});

test('links lead to the web or to an email address', () => {
  const good = [
    'https://example.com',
    'HTTP://example.com/a?b#c',
    'mailto:a@b.example',
    'mailto:a@b.example?subject=x',
  ];
  for (const value of good) expect(link.safeParse(value).success, value).toBe(true);
  const bad = [
    '',
    'example.com',
    '//x',
    'https:x',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:x',
  ];
  const worse = [
    'data:text/html,x',
    'file:///x',
    'vbscript:x',
    'blob:https://x/y',
    'https://u:p@x',
    'mailto:',
    ' https://x',
  ];
  for (const value of [...bad, ...worse]) expect(link.safeParse(value).success, value).toBe(false);
  fc.assert(
    fc.property(anyText(), (value) => {
      if (link.safeParse(value).success) expect(value).toMatch(/^(https?:\/\/|mailto:)/i);
    }),
  );
});

test.each([
  [null, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ['5', [5]],
  ['1-3, 5, 8-', [1, 2, 3, 5, 8, 9]],
  [' -2 ,4 – 4', [1, 2, 4]],
  ['3, 1', [1, 3]],
])('the page range %s of nine pages has the pages %j', (range, pages) => {
  if (range !== null) expect(isPageRange(range)).toBe(true);
  expect([...pagesInRange(range, 9)]).toEqual(pages);
});

test('a page range that is invalid or names pages that do not exist is rejected', () => {
  for (const range of ['', ',', '0', '-', '3-1', '1-2-3', 'a', '1;2', '12345', '1,,2', '0-3']) {
    expect([range, isPageRange(range)]).toEqual([range, false]);
  }
  expect(missingPage('1-3, 9-', 9)).toBeNull();
  expect(missingPage('3-10', 9)).toBe(10);
  expect(missingPage('2-', 1)).toBe(2);
  const parsed = (pages: string) => {
    const body = { projectId: crypto.randomUUID(), pages: [pageOf(text)], options: { pages } };
    return parseExport(joinBytes([new TextEncoder().encode(JSON.stringify(body))]));
  };
  expect(parsed('1').imageKeys).toEqual([]);
  expect(() => parsed('1-2')).toThrow('options.pages names page 2, but the document has only 1 page.');
  expect(() => parsed('last')).toThrow('options.pages must be page numbers like 1-3, 5, 8-.');
});

test.each([
  [null, 'Villa - Nord.pdf'],
  ['{project} {date} v{version}', 'Villa - Nord 2026-11-22 v7.pdf'],
  ['  ../{version}:*?  ', '-7-.pdf'],
  ['{version}\u202e', '7.pdf'],
  ['...', 'Document.pdf'],
  ['{document} of {project}', 'Offer of Villa - Nord.pdf'],
])('the pattern %s gives the file name %s', (pattern, name) => {
  const document = { name: 'Offer', isMain: true };
  const facts = { project: 'Villa / Nord', document, at: new Date('2026-11-22T23:59:00Z'), version: 7 };
  expect(pdfName(pattern, facts)).toBe(name);
});

test('the PDF of a document other than the main one is named after the document, too', () => {
  const facts = { project: 'Villa', at: new Date(), version: 1 };
  expect(pdfName(null, { ...facts, document: { name: 'Offer', isMain: false } })).toBe('Villa - Offer.pdf');
  // The name of a deleted document is unknown, so it is left out of the file name.
  expect(pdfName(null, { ...facts, document: { name: '', isMain: false } })).toBe('Villa.pdf');
});

test('a file name pattern accepts only known fields', () => {
  const accepted = (fileName: string) => exportOptions.safeParse({ fileName }).success;
  expect(['{project}', 'Offer', '{date} {version}'].map(accepted)).toEqual([true, true, true]);
  expect(['{client}', '{', '}{', '{{project}}', 'a\nb', 'a'.repeat(121)].some(accepted)).toBe(false);
});

test('an export and a preview use the settings of their document unless they set others', () => {
  const body = { projectId: crypto.randomUUID(), pages: [pageOf(text)] };
  const customSize = { width: 120, height: 80 };
  const paper = { format: 'letter', orientation: 'landscape', customSize } as const;
  const own = projectDocument.parse({ version: 0, pages: [], ...paper });
  const rest = {
    includecover: false,
    includeToc: false,
    quality: 'print',
    pages: null,
    bleed: 0,
    cropMarks: false,
    pureBlack: false,
    pdfA: false,
    embedDocument: false,
    fileName: null,
    documentVersion: 0,
  };
  expect(printOptions(exportBody.parse(body).options, own)).toEqual({ ...paper, ...rest });
  const { options } = exportBody.parse({ ...body, options: { format: 'A4', includeToc: true } });
  expect(printOptions(options, own)).toEqual({ ...paper, ...rest, format: 'A4', includeToc: true });
  expect(printOptions(renderQuery.parse({}), own)).toEqual({ ...paper, ...rest });
  const query = renderQuery.parse({ orientation: 'portrait', includecover: 'true' });
  expect(printOptions(query, own)).toMatchObject({ ...paper, orientation: 'portrait', includecover: true });
  const full = { ...own, includecover: true, includeToc: true };
  expect(printOptions(renderQuery.parse({}), full)).toMatchObject({ includecover: true, includeToc: true });
  const without = renderQuery.parse({ includecover: 'false', includeToc: 'false' });
  expect(printOptions(without, full)).toMatchObject(rest);
  for (const wrong of ['1', '', 'TRUE'])
    expect(renderQuery.safeParse({ includeToc: wrong }).success).toBe(false);
  expect(exportBody.safeParse({ ...body, pages: [] }).success).toBe(false);
});

test.each<[object, string, string]>([
  [{ options: { includeCover: true } }, 'options.includeCover', 'includecover'],
  [{ Options: {} }, 'Options', 'options'],
  [{ pages: [{ ...pageOf(text), Title: '' }] }, 'pages.0.Title', 'title'],
  [{ pages: [pageOf({ ...text, font_size: 9 })] }, 'pages.0.elements.0.font_size', 'fontSize'],
])('a misnamed option or field of an export is refused by name, wherever it is: %j', (more, path, meant) => {
  const body = { projectId: crypto.randomUUID(), pages: [pageOf(text)], ...more };
  const [issue] = checkInput(exportBody, body).error?.issues ?? [];
  expect(issue?.path.join('.')).toBe(path);
  expect(issue?.message).toBe(`is not known (did you mean ${meant}?)`);
});

test('other unknown options and fields of an export are ignored, wherever they are', () => {
  const body = { projectId: crypto.randomUUID(), pages: [pageOf(text)], options: { bleed: 3 } };
  const more = {
    ...body,
    pages: [{ ...pageOf({ ...text, mood: 'calm' }), theme: 'dark' }],
    options: { bleed: 3, margin: 1 },
    client: 'a script',
  };
  expect(parseInput(exportBody, more)).toEqual(parseInput(exportBody, body));
});

test('a document that was read can be exported and saved unchanged', () => {
  const document = projectDocument.parse({ version: 3, pages: [pageOf(text)] });
  expect(exportBody.safeParse({ ...document, projectId: crypto.randomUUID() }).success).toBe(true);
  expect(savedDocument.parse(document)).toEqual(document);
});

test('a page that uses no master is saved and exported without one', () => {
  const page = { ...pageOf(text), masterId: NO_MASTER };
  const bytes = (body: object) => joinBytes([new TextEncoder().encode(JSON.stringify(body))]);
  const pages = [new TextDecoder().decode(parseSaved(bytes({ version: 0, pages: [page] })).pages)];
  const body = { projectId: crypto.randomUUID(), pages: [page] };
  pages.push(new TextDecoder().decode(parseExport(bytes(body)).pages));
  expect(pages.map((json) => JSON.parse(json)[0].masterId)).toEqual([NO_MASTER, NO_MASTER]);
});

test('an export prints styles and colors as saving the same document stores them', () => {
  const projectId = crypto.randomUUID();
  const bytes = (body: object) => joinBytes([new TextEncoder().encode(JSON.stringify(body))]);
  const page = { background: '#000000', backgroundId: 'c' };
  const content = {
    colors: [{ id: 'c', name: 'Red', color: '#ff0000' }],
    styles: [{ id: 's', name: 'Body', color: '#000000', colorId: 'c' }],
    cover: { background: '#000000', backgroundId: 'c', color: '#000000', colorId: 'c' },
    contents: { color: '#000000', colorId: 'c' },
    masters: [{ ...page, id: 'm', elements: [] }],
    pages: [{ ...page, id: 'p', elements: [{ ...text, styleId: 's' }] }],
  };
  const { version: _, pages, ...settings } = parseSaved(bytes({ ...content, version: 0 }));
  const json = (printed: Uint8Array) => new TextDecoder().decode(printed);
  const given = parseExport(bytes({ ...content, projectId }));
  expect(json(given.pages)).toBe(json(pages));
  expect(given).toMatchObject(settings);
  expect(JSON.stringify([json(pages), settings])).not.toContain('#000000');
  const { styles, colors, cover } = parseExport(bytes({ pages: content.pages, projectId }));
  expect([styles, colors, cover]).toEqual([undefined, undefined, undefined]);
});

describe('the size limits of a document', () => {
  const table = (rows: number, cell: string) => ({
    ...frame,
    type: 'table' as const,
    columns: Array(20).fill({ label: '' }),
    rows: Array(rows).fill(Array(20).fill(cell)),
  });
  const paragraph = (sentence: string) => ({ type: 'paragraph' as const, runs: [{ text: sentence }] });
  const pagesWith = (count: number, element: object) =>
    Array.from({ length: count }, (_, n) => ({ id: `p${n}`, elements: [element] }));
  const issues = (pages: object[]) =>
    documentPages.safeParse(pages).error?.issues.map(({ message }) => message) ?? [];

  test('a document has room for 200 pages full of tables and text', () => {
    const sentence = 'Limewashed walls and a floor of oiled oak. '.repeat(100);
    const elements = [
      { ...table(25, 'brass'), id: 'table' },
      { ...text, id: 'text', blocks: Array(20).fill(paragraph(sentence.slice(0, 250))) },
    ];
    const pages = Array.from({ length: 200 }, (_, n) => ({ id: `p${n}`, title: `Room ${n}`, elements }));
    expect(issues(pages)).toEqual([]);
  });

  test.each<[string, object[]]>([
    [
      'must have, over all pages, at most 100,000 table cells (this has 102,000)',
      pagesWith(17, table(300, 'x')),
    ],
    [
      'must have, over all pages, at most 100,000 paragraphs, list items and runs of text (this has 120,000)',
      pagesWith(120, { ...text, blocks: Array(500).fill(paragraph('')) }),
    ],
    [
      'must have, over all pages, at most 2,000,000 characters of text (this has 2,020,000)',
      pagesWith(101, { ...text, blocks: [paragraph('x'.repeat(20_000))] }),
    ],
  ])('a document over its limits is refused: it %s', (message, pages) => {
    expect(issues(pages)).toEqual([message]);
    const bytes = new TextEncoder().encode(JSON.stringify({ version: 0, pages }));
    expect(() => parseDocumentBody(savedDocument, bytes)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: `pages: ${message}.`,
        extra: { errors: [{ path: 'pages', message }] },
      }),
    );
  });

  test('checking the size limits does not fail on malformed pages', () => {
    const forms = [
      null,
      1,
      'x',
      {},
      [null],
      [{ elements: 1 }],
      [{ elements: [{ rows: [null, 1], blocks: {} }] }],
    ];
    for (const pages of forms) expect(overBudget(pages)).toBeNull();
  });
});

test('paths are described with the names of pages and elements', () => {
  const body = { pages: [{ id: 'a' }, { title: 'Lobby', elements: [{}, { id: 'sofa', type: 'image' }] }] };
  expect(describePathInDocument(body, ['pages', 0, 'inToc'])).toBe('Page 1 “a”, inToc');
  expect(describePathInDocument(body, ['pages', 1, 'elements', 1, 'crop', 'x'])).toBe(
    'Page 2 “Lobby”, image 2 “sofa”, crop.x',
  );
  expect(describePathInDocument(body, ['pages', 1, 'elements', 0])).toBe('Page 2 “Lobby”, element 1');
  expect(describePathInDocument(body, ['version'])).toBe('');
  for (const odd of [null, {}, { pages: null }, { pages: [null] }, { pages: [{ elements: null }] }]) {
    expect(() => describePathInDocument(odd, ['pages', 0, 'elements', 0])).not.toThrow();
  }
});

test('the language of a document is a language tag, and determines the labels that are printed', () => {
  const named = (language: string) => projectDocument.parse({ version: 0, language, pages: [] }).language;
  expect(['en', 'pt-BR', 'zh-Hans-CN'].map(named)).toEqual(['en', 'pt-BR', 'zh-Hans-CN']);
  for (const language of ['e', 'english', 'de_AT', '-', 'en)', `en-${'a'.repeat(40)}`]) {
    expect(() => named(language)).toThrow();
  }
  expect(documentLabels('nb')).toEqual({ contents: 'Innhold', page: 'Side' });
  expect(documentLabels('DE-at')).toEqual({ contents: 'Inhalt', page: 'Seite' });
  expect(documentLabels('xx')).toEqual(documentLabels('en'));
});

test('sheets are numbered before anything is rendered', () => {
  const pages = Array.from({ length: 40 }, (_, n) => ({
    id: `p${n}`,
    title: n === 3 ? '' : `T${n}`,
    inToc: n % 2 === 1,
    elements: [],
  }));
  const document = projectDocument.parse({ version: 0, pages });
  const options = exportOptions.parse({
    format: 'letter',
    orientation: 'landscape',
    includecover: true,
    includeToc: true,
  });
  const { sheets, size, pages: placed } = planSheets(document, 'House', options);
  expect(size).toEqual({ width: 279.4, height: 215.9 });
  expect(sheets.map(({ number }) => number)).toEqual(sheets.map((_, index) => index + 1));
  expect(sheets.slice(0, 4).map(({ kind }) => kind)).toEqual(['cover', 'contents', 'contents', 'page']);
  const entries = sheets.flatMap((sheet) => (sheet.kind === 'contents' ? sheet.entries : []));
  expect(entries).toHaveLength(20);
  for (const { number, title } of entries) expect(sheets[number - 1]).toMatchObject({ kind: 'page', title });
  expect(entries[1]).toEqual({ number: 7, title: 'Page 7' });
  const own = sheetSize(document);
  expect(placed.scale).toBeCloseTo(215.9 / 297);
  expect(placed.left).toBeCloseTo((279.4 - own.width * placed.scale) / 2);
  expect(placed.top).toBeCloseTo(0);
  const numbers = pages.map((_, index) => pageNumber(document, options, index));
  expect(numbers).toEqual(sheets.flatMap((sheet) => (sheet.kind === 'page' ? sheet.number : [])));
});

test('the margin of a document applies to pages, contents and cover, and a document without one has the default margins', () => {
  const a4 = { width: 210, height: 297 };
  const side = { top: 8, side: 30, bottom: 30 };
  expect(marginsOf(30, a4)).toEqual({ page: 30, footer: 30, contents: 30, cover: side });
  expect(marginsOf(0, a4)).toMatchObject({ page: 0, footer: 7, contents: 0 });
  const before = { page: 18, footer: 12, contents: 20, cover: { top: 8, side: 22, bottom: 24 } };
  expect(marginsOf(null, a4)).toEqual(before);
  expect(marginsOf(100, { width: 50, height: 60 }).page).toBe(12.5);
});

test('contents fit any paper, and have the margin of the document', () => {
  const pages = Array.from({ length: 3 }, (_, n) => ({ id: `p${n}`, elements: [] }));
  for (const [width, height] of [
    [50, 50],
    [50, 1000],
    [1000, 50],
  ]) {
    const document = projectDocument.parse({
      version: 0,
      pages,
      format: 'custom',
      customSize: { width, height },
      margin: 100,
      includeToc: true,
    });
    const { size, sheets } = planSheets(document, 'House', exportOptions.parse(sheetOptionsOf(document)));
    expect(size).toEqual({ width, height });
    const contents = sheets.flatMap((sheet) => (sheet.kind === 'contents' ? [sheet] : []));
    expect(contents.flatMap(({ entries }) => entries)).toHaveLength(3);
    for (const { layout, entries } of contents) {
      expect(2 * layout.margin + layout.heading + entries.length * layout.row).toBeLessThanOrEqual(
        height ?? 0,
      );
    }
  }
});
