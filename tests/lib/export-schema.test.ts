import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentPages, link, type PageInput, pageData } from '@/lib/export/document/page-model';
import { planSheets, sheetSize } from '@/lib/export/document/sheets';
import {
  exportBody,
  exportOptions,
  placeInDocument,
  projectDocument,
  renderQuery,
} from '@/lib/export/schema';

const frame = { id: 'e', x: 0, y: 0, w: 10, h: 10 };
const text = { ...frame, type: 'text' as const, blocks: [] };
const pageOf = (element: object) => ({ id: 'p', elements: [element] });
const accepts = (element: object) => pageData.safeParse(pageOf(element)).success;

test('a page as it is stored parses to itself', () => {
  const once = pageData.parse(
    pageOf({ ...text, blocks: [{ type: 'paragraph', runs: [{ text: ' a\n\tb ' }] }] }),
  );
  expect(pageData.parse(once)).toEqual(once);
  expect(once.elements[0]).toMatchObject({ z: 0, rotation: 0, locked: false, fontSize: 11 });
});

describe('refused is', () => {
  test.each<[string, object]>([
    ['a number that is none', { ...text, x: Number.NaN }],
    ['infinity', { ...text, y: Number.POSITIVE_INFINITY }],
    ['a frame beyond all paper', { ...text, w: 2001 }],
    ['a frame without extent', { ...text, h: 0 }],
    ['an unknown field', { ...text, onclick: 'alert(1)' }],
    ['an unknown kind', { ...frame, type: 'html', html: '<b>' }],
    ['an unknown shape', { ...frame, type: 'shape', kind: 'path' }],
    ['a colour that is CSS', { ...text, color: 'red;background:url(https://x)' }],
    ['a colour with more behind it', { ...text, fill: '#ffffff\n' }],
    ['half a character', { ...text, blocks: [{ type: 'paragraph', runs: [{ text: 'a\ud800' }] }] }],
    ['a control character', { ...text, blocks: [{ type: 'paragraph', runs: [{ text: 'a\u0007' }] }] }],
    [
      'a text beyond bounds',
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
  ])('%s', (_, element) => {
    expect(accepts(element)).toBe(false);
  });

  test('more pages or elements than there may be, and ids given twice', () => {
    const pages = Array.from({ length: 201 }, (_, n): PageInput => ({ id: `p${n}`, elements: [] }));
    expect(documentPages.safeParse(pages).success).toBe(false);
    expect(documentPages.safeParse(pages.slice(1)).success).toBe(true);
    const elements = Array.from({ length: 201 }, (_, n) => ({ ...text, id: `e${n}` }));
    expect(pageData.safeParse({ id: 'p', elements }).success).toBe(false);
    expect(pageData.safeParse({ id: 'p', elements: elements.slice(1) }).success).toBe(true);
    expect(pageData.safeParse({ id: 'p', elements: [text, text] }).success).toBe(false);
    expect(documentPages.safeParse([pageOf(text), pageOf(text)]).success).toBe(false);
  });

  test('more images than can be fetched', () => {
    const element = { ...frame, type: 'image' as const, path: 'images/x' };
    const elements = Array.from({ length: 200 }, (_, n) => ({ ...element, id: `e${n}` }));
    const pages = Array.from({ length: 5 }, (_, n) => ({ id: `p${n}`, elements }));
    expect(documentPages.safeParse(pages).success).toBe(false);
    expect(documentPages.safeParse(pages.slice(1)).success).toBe(true);
  });
});

test('links lead to the web or to a mailbox', () => {
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
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      if (link.safeParse(value).success) expect(value).toMatch(/^(https?:\/\/|mailto:)/i);
    }),
  );
});

test('options and query have the documented defaults', () => {
  const none = { format: 'A4', orientation: 'portrait', includecover: false, includeToc: false };
  expect(exportOptions.parse({})).toEqual({ ...none, quality: 'print' });
  expect(renderQuery.parse({})).toEqual(none);
  expect(renderQuery.parse({ includecover: 'true' }).includecover).toBe(true);
  for (const wrong of ['1', '', 'TRUE'])
    expect(renderQuery.safeParse({ includeToc: wrong }).success).toBe(false);
  const body = { projectId: crypto.randomUUID(), pages: [pageOf(text)] };
  expect(exportBody.parse(body).options).toEqual({ ...none, quality: 'print' });
  expect(exportBody.safeParse({ ...body, pages: [] }).success).toBe(false);
});

test('places are told in words', () => {
  const body = { pages: [{ id: 'a' }, { title: 'Lobby', elements: [{}, { id: 'sofa', type: 'image' }] }] };
  expect(placeInDocument(body, ['pages', 0, 'inToc'])).toBe('Page 1 “a”, inToc');
  expect(placeInDocument(body, ['pages', 1, 'elements', 1, 'crop', 'x'])).toBe(
    'Page 2 “Lobby”, image 2 “sofa”, crop.x',
  );
  expect(placeInDocument(body, ['pages', 1, 'elements', 0])).toBe('Page 2 “Lobby”, element 1');
  expect(placeInDocument(body, ['version'])).toBe('');
  for (const odd of [null, {}, { pages: null }, { pages: [null] }, { pages: [{ elements: null }] }]) {
    expect(() => placeInDocument(odd, ['pages', 0, 'elements', 0])).not.toThrow();
  }
});

test('sheets are numbered before anything is drawn', () => {
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
});
