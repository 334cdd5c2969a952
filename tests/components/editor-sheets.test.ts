import { describe, expect, test } from 'vitest';
import type { DocumentPatch, EditorAction } from '@/components/editor/editor-action';
import { openPage, sheetNextTo } from '@/components/editor/editor-change';
import { fitPaper } from '@/components/editor/fit-paper';
import { usedColors } from '@/components/editor/used-colors';
import { MAX_MASTERS, masterOf } from '@/lib/document/masters';
import { pageElement } from '@/lib/document/page-model';
import { act, open, page, shape, text } from './support/editor-actions';

describe('sheets', () => {
  const onMaster: EditorAction = { type: 'sheet-opened', sheet: { kind: 'master', id: 'default' } };
  const change = (patch: DocumentPatch): EditorAction => ({ type: 'document-changed', patch });

  test('the cover and the contents can be opened while the document has them, and have no elements', () => {
    const closed = open(page('a'));
    expect(act(closed, { type: 'sheet-opened', sheet: { kind: 'cover' } }).sheet).toEqual({ kind: 'page' });
    const both = act(closed, change({ includecover: true }), change({ includeToc: true }));
    const cover = act(both, { type: 'sheet-opened', sheet: { kind: 'cover' } });
    expect(openPage(cover)).toBeNull();
    expect(act(cover, { type: 'elements-added', elements: [shape('s')] }).message).toMatchObject({
      refused: true,
    });
    expect(act(cover, change({ includecover: false })).sheet).toEqual({ kind: 'page' });
    const contents = act(both, { type: 'sheet-opened', sheet: { kind: 'contents', index: 0 } });
    expect(act(contents, { type: 'page-removed', pageId: 'a' }).sheet).toEqual({ kind: 'page' });
    expect(act(contents, { type: 'page-opened', pageId: 'a' }).sheet).toEqual({ kind: 'page' });
  });

  test('the next and previous sheets follow the order of the PDF, and a master counts as the page that was open before it', () => {
    const state = act(open(page('a'), page('b')), change({ includecover: true, includeToc: true }));
    const cover = { pageId: 'a', sheet: { kind: 'cover' } } as const;
    const contents = { pageId: 'a', sheet: { kind: 'contents', index: 0 } } as const;
    const [a, b] = ['a', 'b'].map((pageId) => ({ pageId, sheet: { kind: 'page' } }) as const);
    const around = (place: typeof cover | typeof contents | typeof a) =>
      ([-1, 1] as const).map((direction) => sheetNextTo({ ...state, ...place }, direction));
    expect([cover, contents, a, b].map(around)).toEqual([
      [null, contents],
      [cover, a],
      [contents, b],
      [a, null],
    ]);
    expect(sheetNextTo(act(state, onMaster), 1)).toEqual(b);
    expect(sheetNextTo(open(), -1)).toBeNull();
    expect(sheetNextTo(open(), 1)).toBeNull();
  });

  test('the cover of a document without pages is before its empty canvas', () => {
    const state = act(open(), change({ includecover: true }));
    expect(sheetNextTo(state, -1)).toEqual({ pageId: null, sheet: { kind: 'cover' } });
    expect(sheetNextTo(state, 1)).toBeNull();
  });

  test('messages use the page numbers of the PDF', () => {
    const state = act(
      open(page('a'), page('b')),
      change({ includecover: true }),
      change({ includeToc: true }),
    );
    expect(act(state, { type: 'page-removed', pageId: 'b' }).message?.text).toBe('Page 4 was deleted.');
    const moved = act(state, { type: 'page-moved', pageId: 'a', to: 1 });
    expect(moved.message?.text).toBe('Page 3 is now page 4.');
  });

  test('a master is edited like a page, and undo opens it again', () => {
    const start = act(open(page('a', [shape('s')])), onMaster);
    const added = act(start, { type: 'elements-added', elements: [shape('s'), text('t', '{page}')] });
    expect(added.document.pages).toBe(start.document.pages);
    expect(added.document.masters[0]?.elements.map(({ id }) => id)).toEqual(['s', 't']);
    expect(added.selected).toEqual(['s', 't']);
    const undone = act(added, { type: 'page-opened', pageId: 'a' }, { type: 'undone' });
    expect(undone.sheet).toEqual({ kind: 'master', id: 'default' });
    expect(undone.document).toEqual(start.document);
    const toPage = { pageId: 'a', sheet: { kind: 'page' } } as const;
    const elsewhere = act(start, { type: 'elements-added', elements: [shape('x')], to: toPage });
    expect(elsewhere.document.masters).toBe(start.document.masters);
    expect(elsewhere.document.pages[0]?.elements).toHaveLength(2);
    const { pageId, sheet } = start;
    const back = act(
      start,
      { type: 'page-opened', pageId: 'a', selected: ['s'] },
      { type: 'pasted', elements: [shape('late')], to: { pageId, sheet } },
    );
    expect(back.document.pages).toBe(start.document.pages);
    expect(back.document.masters[0]?.elements.map(({ id }) => id)).toEqual(['late']);
    expect(back.selected).toEqual(['s']);
  });

  test('the colors of a master are among those that the document uses', () => {
    const added = act(open(page('a')), onMaster, {
      type: 'elements-added',
      elements: [shape('s', { fill: '#AA3311' })],
    });
    expect(usedColors(added.document, 20)).toContain('#aa3311');
  });

  test('a master rejects materials, tables and too many elements', () => {
    const start = act(open(page('a')), onMaster);
    const table = pageElement.parse({
      id: 't',
      type: 'table',
      x: 0,
      y: 0,
      w: 9,
      h: 9,
      columns: [{ label: '' }],
      rows: [],
    });
    for (const elements of [[table], Array.from({ length: 31 }, (_, n) => shape(`s${n}`))]) {
      const refused = act(start, { type: 'elements-added', elements });
      expect(refused.document).toBe(start.document);
      expect(refused.message).toMatchObject({ refused: true, text: expect.stringMatching(/^Masters must /) });
    }
  });

  test('a new master can be used by one page or by all pages, and by none after it is deleted', () => {
    const start = open(page('a'), page('b'));
    const added = act(start, { type: 'master-added', master: page('default'), user: { pageId: 'b' } });
    expect(added.document.pages.map(({ masterId }) => masterId)).toEqual(['default', 'default-2']);
    expect(added.sheet).toEqual({ kind: 'master', id: 'default-2' });
    const applied = act(added, { type: 'master-applied', id: 'default-2' });
    expect(applied.document.pages.map(({ masterId }) => masterId)).toEqual(['default-2', 'default-2']);
    const removed = act(applied, { type: 'master-removed', id: 'default-2' });
    expect(removed.sheet).toEqual({ kind: 'page' });
    expect(removed.document.pages.map((each) => masterOf(removed.document.masters, each))).toEqual([
      null,
      null,
    ]);
  });

  test('a new master of the cover or the contents is one undo step, and changes nothing if there are too many', () => {
    const start = open(page('a'));
    for (const user of ['cover', 'contents'] as const) {
      const add: EditorAction = { type: 'master-added', master: page('m'), user };
      const added = act(start, add);
      expect(added.document[user].masterId).toBe('m');
      expect(act(added, { type: 'undone' }).document).toEqual(start.document);
      const full = act(start, ...Array.from({ length: MAX_MASTERS }, () => add));
      expect(full.document.masters).toHaveLength(MAX_MASTERS);
      expect(full.document[user].masterId).toBe(`m-${MAX_MASTERS - 1}`);
      expect(full.message).toMatchObject({ refused: true });
    }
  });

  test('a change of paper scales the elements of pages and masters, or keeps them, in one undo step', () => {
    const wide = shape('s', { x: 0, y: 0, w: 210, h: 297 });
    const styled = [{ type: 'paragraph', spaceAfter: 3, runs: [{ text: 'Words', size: 20 }] }];
    const start = act(open(page('a', [wide, text('t', 'Words')])), onMaster, {
      type: 'elements-added',
      elements: [wide],
    });
    const paper = {
      format: 'custom',
      orientation: 'portrait',
      customSize: { width: 420, height: 105 },
    } as const;
    const scaled = act(start, change(fitPaper(start.document, paper, true)));
    const factor = 105 / 297;
    const [frame, words] = scaled.document.pages[0]?.elements ?? [];
    expect(frame).toMatchObject({ y: 0, h: 105 });
    expect(frame?.w).toBeCloseTo(210 * factor, 1);
    expect(frame?.x).toBeCloseTo((420 - 210 * factor) / 2, 1);
    expect(words).toMatchObject({ fontSize: 4 });
    const set = pageElement.parse({ ...text('t', 'Words'), blocks: styled });
    const larger = { ...paper, customSize: { width: 420, height: 594 } };
    const [big] = fitPaper(open(page('a', [set])).document, larger, true).pages?.[0]?.elements ?? [];
    expect(big).toMatchObject({ fontSize: 22, blocks: [{ spaceAfter: 6, runs: [{ size: 40 }] }] });
    expect(scaled.document.masters[0]?.elements[0]).toMatchObject({ h: 105 });
    const kept = act(start, change(fitPaper(start.document, paper, false)));
    expect(kept.document).toEqual({ ...start.document, ...paper });
    expect(act(scaled, { type: 'undone' }).document).toEqual(start.document);
    expect(
      act(scaled, { type: 'selected', ids: ['s'] }, { type: 'filled' }).document.masters[0]?.elements[0],
    ).toMatchObject({ x: -5, y: -5, w: 430, h: 115 });
  });
});

test('a shape that fills the page extends over the widest bleed, and a text ends at the trim', () => {
  const state = open(page('a', [shape('s'), text('t', 'Words')]));
  const { document } = act(state, { type: 'all-selected' }, { type: 'filled' });
  const [area, words] = document.pages[0]?.elements ?? [];
  expect(area).toMatchObject({ x: -5, y: -5, w: 220, h: 307 });
  expect(words).toMatchObject({ x: 0, y: 0, w: 210, h: 297 });
});

test('locked elements do not fill the page, and a message says so if all selected ones are locked', () => {
  const start = open(page('a', [shape('s'), shape('t', { locked: true })]));
  const refused = act(start, { type: 'selected', ids: ['t'] }, { type: 'filled' });
  expect(refused.document).toBe(start.document);
  expect(refused.message).toMatchObject({ refused: true, text: 'The element is locked. Unlock it first.' });
  const { document } = act(start, { type: 'selected', ids: ['s', 't'] }, { type: 'filled' });
  expect(document.pages[0]?.elements.map(({ x }) => x)).toEqual([-5, 10]);
});
