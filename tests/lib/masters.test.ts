import { expect, test } from 'vitest';
import { footerOf } from '@/lib/document/footer';
import { backgroundOf, documentMasters, filledMaster, masterOf } from '@/lib/document/masters';
import {
  contentsSettings,
  coverSettings,
  imageKey,
  type PageInput,
  pageData,
} from '@/lib/document/page-model';
import { fontUses, missingFonts } from '@/lib/document/project-fonts';
import { pageSheet } from '@/lib/document/sheets';

const text = (id: string, words: string, more: object = {}) => ({
  id,
  type: 'text' as const,
  x: 0,
  y: 0,
  w: 50,
  h: 10,
  blocks: [
    { type: 'paragraph' as const, runs: [{ text: words, ...more }] },
    { type: 'list' as const, items: [[{ text: words }]] },
  ],
});
const image = (id: string) => ({ id, type: 'image' as const, x: 0, y: 0, w: 50, h: 10 });
const page = (id: string, more: Partial<PageInput> = {}) => pageData.parse({ id, elements: [], ...more });
const issueOf = (...masters: object[]) => documentMasters.safeParse(masters).error?.issues[0]?.message;

test('a document has an empty default master, which pages use unless they name another one', () => {
  const masters = documentMasters.parse(undefined);
  expect(masters.map(({ id, elements }) => [id, elements])).toEqual([['default', []]]);
  expect(page('a').masterId).toBe('default');
  expect(masterOf(masters, page('a'))).toBeNull();
});

test('the placeholders of a master are filled for each page, and its links become text', () => {
  const words = '{title}: {page}/{pages} {other}';
  const master = page('m', { elements: [text('t', words, { link: 'https://example.com' }), image('i')] });
  const filled = filledMaster(master, { number: 3, count: 12, title: '{page} $& Lobby' });
  const found = JSON.stringify(filled.elements[0]);
  expect(found.split('{page} $& Lobby: 3/12 {other}')).toHaveLength(3);
  expect(found).not.toContain('https://');
  // Elements other than texts stay the same objects, so the memoized `ElementView` does not render them again.
  expect(filled.elements[1]).toBe(master.elements[1]);
});

test('the footer leaves out what the master prints, but not for a placeholder in several runs, which is not filled', () => {
  const a4 = { width: 210, height: 297 };
  const numbered = (runs: { text: string; bold?: boolean }[]) => {
    const blocks = [{ type: 'paragraph' as const, runs }];
    const master = page('m', { elements: [{ ...text('t', ''), y: 290, h: 7, blocks }] });
    return footerOf(page('a'), master, a4, null);
  };
  expect(numbered([{ text: '{page}' }])).toMatchObject({ hasTitle: true, hasNumber: false });
  expect(numbered([{ text: '{pa' }, { text: 'ge}', bold: true }])).toMatchObject({ hasNumber: true });
});

test('a page shows its own background, or the background of its master if its own is white', () => {
  const master = page('m', { background: '#112233' });
  expect(backgroundOf(page('a'), master)).toBe('#112233');
  expect(backgroundOf(page('a', { background: '#445566' }), master)).toBe('#445566');
  expect(backgroundOf(page('a', { background: '#FFFFFF' }), master)).toBe('#112233');
  expect(masterOf([page('m', { background: '#FFFFFF' })], page('a', { masterId: 'm' }))).toBeNull();
  expect(backgroundOf(page('a'), null)).toBe('#ffffff');
  expect(masterOf([master], page('a', { masterId: 'm' }))).toBe(master);
  expect(masterOf([master], page('a', { masterId: 'gone' }))).toBeNull();
  expect(masterOf([master], page('a', { masterId: 'none' }))).toBeNull();
});

test('a missing font is reported at its element, even if the page and its master have elements with the same id', () => {
  const masters = [page('m', { elements: [text('t', 'Logo', { font: 'Brand' })] })];
  const own = page('a', { masterId: 'm', elements: [text('t', 'Words', { font: 'House' })] });
  const setup = { size: { width: 210, height: 297 }, margin: null, language: 'en', masters };
  const found = missingFonts([pageSheet(setup, own, 1, 1)], [{ name: 'Other' }]);
  expect(found.map(({ pageId, elementId, message }) => [pageId, elementId, message])).toEqual([
    ['m', 't', expect.stringContaining('“Brand”')],
    ['a', 't', expect.stringContaining('“House”')],
  ]);
});

test('each element that uses a font is counted once, in pages and masters, and so are the cover and the contents', () => {
  const document = {
    masters: [page('m', { elements: [text('t', 'Logo', { font: 'Brand' })] })],
    pages: [
      page('a', {
        elements: [{ ...text('t', 'Words'), font: 'Brand' }, text('u', 'Words', { font: 'House' })],
      }),
    ],
    cover: coverSettings.parse({ font: 'Brand' }),
    contents: contentsSettings.parse({ font: 'Other' }),
  };
  expect(['Brand', 'House', 'Other', 'None'].map((name) => fontUses(document, name))).toEqual([
    { elements: 2, cover: true, contents: false },
    { elements: 1, cover: false, contents: false },
    { elements: 0, cover: false, contents: true },
    { elements: 0, cover: false, contents: false },
  ]);
});

test('masters have lower limits than pages, because every page can print one', () => {
  const many = (count: number, make: (id: string) => object) =>
    Array.from({ length: count }, (_, n) => make(`e${n}`));
  expect(issueOf({ id: 'm', elements: many(30, image) })).toBeUndefined();
  expect(issueOf({ id: 'm', elements: many(31, image) })).toMatch(/at most 30 elements each/);
  const full = (id: string) => ({ id, elements: many(26, image) });
  expect(issueOf(full('a'), full('b'))).toMatch(/at most 50 images/);
  expect(issueOf({ id: 'm', elements: many(1, (id) => text(id, 'x'.repeat(5001))) })).toMatch(
    /10,000 characters/,
  );
  expect(issueOf({ id: 'm', elements: many(26, (id) => text(id, '{page}')) })).toMatch(/50 placeholders/);
  expect(issueOf({ id: 'm', elements: [] }, { id: 'm', elements: [] })).toMatch(/already used/);
  expect(issueOf({ id: 'none', elements: [] })).toMatch(/must not have the id none/);
});

test('the footer of a page leaves out what its master prints in the same place', () => {
  const footerWith = (words: string, y: number, more: Partial<PageInput> = {}) => {
    const masters = [page('m', { elements: [{ ...text('t', words), y }] })];
    const setup = { size: { width: 210, height: 297 }, margin: 20, language: 'en', masters };
    return pageSheet(setup, page('a', { masterId: 'm', ...more }), 1, 1).footer;
  };
  expect(footerWith('{page} / {pages}', 285)).toEqual({ hasTitle: true, hasNumber: false, margin: 20 });
  expect(footerWith('{title}', 285)).toEqual({ hasTitle: false, hasNumber: true, margin: 20 });
  expect(footerWith('{pages} pages', 285)).toMatchObject({ hasTitle: true, hasNumber: true });
  // A page number at the top does not replace the one in the footer.
  expect(footerWith('{title} {page}', 10)).toMatchObject({ hasTitle: true, hasNumber: true });
  expect(footerWith('Nordlys', 285, { footer: false })).toMatchObject({ hasTitle: false, hasNumber: false });
});

test('an image without an id and with an empty path has no key', () => {
  expect(imageKey({ imageId: null, path: '' })).toBeNull();
});
