import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasSheet, sheetNextTo } from '@/components/editor/editor-change';
import {
  type DocumentPatch,
  type EditorAction,
  type EditorState,
  editorReducer,
  MAX_HISTORY,
  type OpenSheet,
  openEditor,
  openPage,
} from '@/components/editor/editor-state';
import { createEditorStore } from '@/components/editor/editor-store';
import { fitPaper } from '@/components/editor/fit-paper';
import { inLayers } from '@/components/editor/layers';
import { readClipboard, writeClipboard } from '@/components/editor/paste/clipboard';
import { usedColors } from '@/components/editor/used-colors';
import { documentMasters, masterOf } from '@/lib/document/masters';
import {
  documentPages,
  MAX_ELEMENTS,
  MAX_PAGES,
  type PageData,
  type PageElement,
  pageData,
  pageElement,
} from '@/lib/document/page-model';
import { projectDocument } from '@/lib/document/schema';

const shape = (id: string, place: Partial<PageElement> = {}): PageElement =>
  pageElement.parse({ id, type: 'shape', kind: 'rect', x: 10, y: 10, w: 20, h: 10, ...place });
const text = (id: string, words: string): PageElement =>
  pageElement.parse({
    id,
    type: 'text',
    x: 50,
    y: 50,
    w: 60,
    h: 20,
    blocks: [{ type: 'paragraph', runs: [{ text: words }] }],
  });
const page = (id: string, elements: PageElement[] = []): PageData => pageData.parse({ id, elements });
const open = (...pages: PageData[]): EditorState => openEditor(projectDocument.parse({ version: 1, pages }));
const act = (state: EditorState, ...actions: EditorAction[]) => actions.reduce(editorReducer, state);
const elementsOf = (state: EditorState) => openPage(state)?.elements ?? [];
const element = (state: EditorState, id: string) => elementsOf(state).find((other) => other.id === id);
const pageIds = (state: EditorState) => state.document.pages.map(({ id }) => id);
const layersOf = (state: EditorState) => inLayers(elementsOf(state)).map(({ id }) => id);

describe('pages', () => {
  test('pages are added after the given page or at the end, and the first new page opens', () => {
    const state = act(open(page('a'), page('b')), {
      type: 'pages-added',
      pages: [page('c'), page('d')],
      after: 'a',
    });
    expect(pageIds(state)).toEqual(['a', 'c', 'd', 'b']);
    expect(state.pageId).toBe('c');
    expect(pageIds(act(state, { type: 'pages-added', pages: [page('e')], after: null }))).toEqual([
      'a',
      'c',
      'd',
      'b',
      'e',
    ]);
  });

  test('added pages get new ids if theirs are taken', () => {
    const state = act(open(page('a')), { type: 'pages-added', pages: [page('a'), page('a')], after: null });
    expect(pageIds(state)).toEqual(['a', 'a-2', 'a-3']);
  });

  test('duplicating, moving and removing pages can be undone and redone step by step', () => {
    const start = open(page('a', [shape('s')]), page('b'));
    const state = act(
      start,
      { type: 'page-duplicated', pageId: 'a' },
      { type: 'page-moved', pageId: 'b', to: 0 },
      { type: 'page-removed', pageId: 'a' },
    );
    expect(pageIds(state)).toEqual(['b', 'a-2']);
    expect(elementsOf(act(state, { type: 'page-opened', pageId: 'a-2' }))[0]?.id).toBe('s');
    const undone = act(state, { type: 'undone' }, { type: 'undone' }, { type: 'undone' });
    expect(undone.document).toBe(start.document);
    expect(act(undone, { type: 'redone' }, { type: 'redone' }, { type: 'redone' }).document).toBe(
      state.document,
    );
  });

  test('removing the open page opens the one after it, or the last one', () => {
    const start = open(page('a'), page('b'), page('c'));
    const state = act(start, { type: 'page-opened', pageId: 'b' }, { type: 'page-removed', pageId: 'b' });
    expect(state.pageId).toBe('c');
    expect(act(state, { type: 'page-removed', pageId: 'c' }).pageId).toBe('a');
    expect(act(open(page('a')), { type: 'page-removed', pageId: 'a' }).pageId).toBeNull();
  });

  test('a page beyond the limit is refused with a message', () => {
    const full = open(...Array.from({ length: MAX_PAGES }, (_, index) => page(`p${index}`)));
    const refused = act(full, { type: 'pages-added', pages: [page('x')], after: null });
    expect(refused.document).toBe(full.document);
    expect(refused.message).toMatchObject({ refused: true, text: 'A document has at most 200 pages.' });
    expect(act(full, { type: 'page-duplicated', pageId: 'p0' }).message?.refused).toBe(true);
  });

  test('page settings are applied if valid and refused otherwise', () => {
    const state = act(open(page('a')), {
      type: 'page-changed',
      pageId: 'a',
      patch: { title: 'Lobby', inToc: false, background: '#ff0000' },
    });
    expect(openPage(state)).toMatchObject({ title: 'Lobby', inToc: false, background: '#ff0000' });
    const refused = act(state, { type: 'page-changed', pageId: 'a', patch: { title: 'x'.repeat(201) } });
    expect(refused.document).toBe(state.document);
    expect(refused.message?.text).toBe("The page's title must have at most 200 characters.");
  });
});

describe('elements', () => {
  test('added elements go on top, are selected and get unique ids', () => {
    const state = act(open(page('a', [shape('s', { z: 7 })])), {
      type: 'elements-added',
      elements: [shape('s'), text('t', 'Hello')],
    });
    expect(state.selected).toEqual(['s-2', 't']);
    expect(layersOf(state)).toEqual(['s', 's-2', 't']);
  });

  test('an element beyond the limit of a page is refused', () => {
    const full = open(
      page(
        'a',
        Array.from({ length: MAX_ELEMENTS }, (_, index) => shape(`s${index}`)),
      ),
    );
    const refused = act(full, { type: 'elements-added', elements: [shape('x')] });
    expect(refused.document).toBe(full.document);
    expect(refused.message?.text).toBe('A page has at most 200 elements.');
  });

  test('unchanged elements and pages stay the same objects', () => {
    const start = open(page('a', [shape('s'), text('t', 'Hello')]), page('b', [shape('s')]));
    const state = act(start, { type: 'elements-changed', ids: ['s'], patch: { fill: '#112233' } });
    expect(element(state, 't')).toBe(element(start, 't'));
    expect(state.document.pages[1]).toBe(start.document.pages[1]);
    expect(element(state, 's')).toMatchObject({ fill: '#112233' });
    expect(act(state, { type: 'elements-changed', ids: ['s'], patch: { fill: '#112233' } })).toBe(state);
  });

  test('a patch applies only to elements that have the field, and only if the value is valid', () => {
    const start = open(page('a', [shape('s'), text('t', 'Hello')]));
    const state = act(start, { type: 'elements-changed', ids: ['s', 't'], patch: { fontSize: 20 } });
    expect(element(state, 't')).toMatchObject({ fontSize: 20 });
    expect(element(state, 's')).toBe(element(start, 's'));
    const refused = act(state, { type: 'elements-changed', ids: ['t'], patch: { fontSize: 4000 } });
    expect(refused.document).toBe(state.document);
    expect(refused.message?.text).toBe('Text: Hello: fontSize must be at most 400.');
  });

  test('moving stops at the limits of the page model', () => {
    const start = act(open(page('a', [shape('s')])), { type: 'selected', ids: ['s'] });
    const state = act(start, { type: 'moved', dx: 5000, dy: -5000 });
    expect(element(state, 's')).toMatchObject({ x: 2000, y: -2000 });
    expect(act(state, { type: 'moved', dx: 1, dy: 0 })).toBe(state);
  });

  test('locked elements cannot be changed until they are unlocked', () => {
    const start = act(open(page('a', [shape('s', { locked: true })])), { type: 'selected', ids: ['s'] });
    for (const action of [
      { type: 'moved', dx: 1, dy: 0 },
      { type: 'removed' },
      { type: 'layered', move: 'back' },
      { type: 'elements-changed', ids: ['s'], patch: { fill: '#000000' } },
    ] satisfies EditorAction[]) {
      const state = act(start, action);
      expect(state.document).toBe(start.document);
      expect(state.message?.text).toBe('The element is locked. Unlock it first.');
    }
    expect(element(act(start, { type: 'locked', ids: ['s'], locked: false }), 's')?.locked).toBe(false);
    expect(act(start, { type: 'all-selected' }).selected).toEqual([]);
  });

  test('a single element aligns to the page, several align to each other', () => {
    const one = act(
      open(page('a', [shape('s')])),
      { type: 'selected', ids: ['s'] },
      { type: 'aligned', alignment: 'right' },
    );
    expect(element(one, 's')).toMatchObject({ x: 190, y: 10 });
    const two = act(
      open(page('a', [shape('s'), shape('t', { x: 100, y: 60 })])),
      { type: 'selected', ids: ['s', 't'] },
      { type: 'aligned', alignment: 'bottom' },
    );
    expect(element(two, 's')).toMatchObject({ x: 10, y: 60 });
  });

  test('three or more elements are distributed with equal gaps; two are refused', () => {
    const places = [0, 30, 100].map((x, index) => shape(`s${index}`, { x }));
    const start = open(page('a', places));
    const state = act(start, { type: 'all-selected' }, { type: 'distributed', axis: 'horizontal' });
    expect(elementsOf(state).map(({ x }) => x)).toEqual([0, 50, 100]);
    const refused = act(
      start,
      { type: 'selected', ids: ['s0', 's1'] },
      { type: 'distributed', axis: 'vertical' },
    );
    expect(refused.message?.refused).toBe(true);
  });

  test('elements move forward and backward in the layers', () => {
    const start = open(
      page(
        'a',
        ['a', 'b', 'c', 'd'].map((id) => shape(id)),
      ),
    );
    const layer = (ids: string[], move: 'front' | 'forward' | 'backward' | 'back') =>
      layersOf(act(start, { type: 'selected', ids }, { type: 'layered', move })).join('');
    expect(layer(['a', 'c'], 'front')).toBe('bdac');
    expect(layer(['b', 'd'], 'back')).toBe('bdac');
    expect(layer(['a', 'b'], 'forward')).toBe('cabd');
    expect(layer(['b', 'c'], 'backward')).toBe('bcad');
    expect(layer(['d'], 'forward')).toBe('abcd');
    expect(layersOf(act(start, { type: 'moved-to-layer', id: 'd', to: 1 })).join('')).toBe('adbc');
  });
});

describe('copies', () => {
  const start = act(open(page('a', [shape('s')]), page('b')), { type: 'selected', ids: ['s'] });

  test('pasting keeps the position on another page and offsets it on the same page', () => {
    const copied = act(start, { type: 'copied' });
    expect(copied.document).toBe(start.document);
    const there = act(copied, { type: 'page-opened', pageId: 'b' }, { type: 'pasted' });
    expect(elementsOf(there)).toMatchObject([{ id: 's', x: 10, y: 10 }]);
    const here = act(copied, { type: 'pasted' }, { type: 'pasted' });
    expect(elementsOf(here).map(({ x }) => x)).toEqual([10, 15, 20]);
  });

  test('elements that are pasted again from the system clipboard do not cover the previous copies', () => {
    const elements = elementsOf(start);
    const often = act(start, { type: 'pasted', elements }, { type: 'pasted', elements });
    expect(elementsOf(often).map(({ x }) => x)).toEqual([10, 15, 20]);
  });

  test('elements that are added to another page leave the open page and its selection as they are', () => {
    const added = act(start, {
      type: 'elements-added',
      elements: [shape('later')],
      to: { pageId: 'b', sheet: { kind: 'page' } },
    });
    expect([added.pageId, added.selected]).toEqual(['a', ['s']]);
    expect(added.document.pages[1]?.elements).toMatchObject([{ id: 'later' }]);
  });

  test('pasting at the edge stays within the limits of the page model', () => {
    const edge = act(open(page('a', [shape('s', { x: 1998, y: -2000 })])), { type: 'selected', ids: ['s'] });
    const here = act(edge, { type: 'copied' }, { type: 'pasted' });
    expect(elementsOf(here).map(({ x, y }) => [x, y])).toEqual([
      [1998, -2000],
      [2000, -1995],
    ]);
  });

  test('cut elements are removed and can be pasted or restored by undo', () => {
    const cut = act(start, { type: 'cut' });
    expect(elementsOf(cut)).toEqual([]);
    expect(elementsOf(act(cut, { type: 'pasted' }))).toMatchObject([{ id: 's', x: 10 }]);
    expect(act(cut, { type: 'undone' }).document).toBe(start.document);
  });

  test('the clipboard text round-trips, foreign text has no elements, and damaged text is refused', () => {
    const elements = elementsOf(start);
    expect(readClipboard(writeClipboard(elements))).toEqual({ elements });
    for (const foreign of ['hello', '{}', 'null', '[]', '{"kind":"other","elements":[]}']) {
      expect(readClipboard(foreign)).toBeNull();
    }
    const broken = writeClipboard(elements).replace('"w":20', '"w":-3');
    expect(readClipboard(broken)).toEqual({
      refused: 'The elements in the clipboard are damaged: elements.0.w must be at least 0.1.',
    });
  });
});

describe('history', () => {
  const start = act(open(page('a', [shape('s'), shape('t')])), { type: 'selected', ids: ['s'] });
  const frame = (x: number): EditorAction => ({
    type: 'elements-framed',
    frames: { s: { x, y: 10, w: 20, h: 10, rotation: 0 } },
    group: 'drag 1',
  });

  test('a drag is one undo step', () => {
    const state = act(start, frame(11), frame(12), frame(13));
    expect(state.past).toHaveLength(1);
    expect(element(act(state, { type: 'undone' }), 's')?.x).toBe(10);
    expect(act(state, { type: 'settled' }, frame(14)).past).toHaveLength(2);
  });

  test('consecutive nudges are one undo step until another action', () => {
    const nudge: EditorAction = { type: 'moved', dx: 1, dy: 0 };
    const state = act(start, nudge, nudge, nudge);
    expect(state.past).toHaveLength(1);
    const two = act(state, { type: 'selected', ids: ['t'] }, nudge);
    expect(two.past).toHaveLength(2);
  });

  test('canceling a drag reverts only that drag', () => {
    const moved = act(start, frame(11), { type: 'settled' });
    const back = act(moved, { ...frame(30), group: 'drag 2' } as EditorAction, {
      type: 'reverted',
      group: 'drag 2',
    });
    expect(back.document).toBe(moved.document);
    expect(back.past).toHaveLength(1);
    expect(
      act(moved, { ...frame(11), group: 'drag 3' } as EditorAction, { type: 'reverted', group: 'drag 3' }),
    ).toBe(moved);
  });

  test('canceling a drag keeps the redo steps and the earliest undo step', () => {
    let state = start;
    for (let index = 0; index < MAX_HISTORY + 1; index += 1) {
      state = act(state, { type: 'moved', dx: 1, dy: 0 }, { type: 'settled' });
    }
    const undone = act(state, { type: 'undone' });
    for (const from of [state, undone]) {
      const drag = (x: number) => ({ ...frame(x), group: 'drag 2' }) as EditorAction;
      const back = act(from, drag(30), drag(31), { type: 'reverted', group: 'drag 2' });
      expect(back.document).toBe(from.document);
      expect([back.past, back.future]).toEqual([from.past, from.future]);
    }
    expect(act(undone, { type: 'redone' }).document).toBe(state.document);
  });

  test('the history is bounded, and a new change clears the redo steps', () => {
    let state = start;
    for (let index = 0; index < MAX_HISTORY + 20; index += 1) {
      state = act(state, { type: 'moved', dx: 1, dy: 0 }, { type: 'settled' });
    }
    expect(state.past).toHaveLength(MAX_HISTORY);
    const undone = act(state, { type: 'undone' }, { type: 'undone' });
    expect(undone.future).toHaveLength(2);
    expect(act(undone, { type: 'moved', dx: 0, dy: 1 }).future).toEqual([]);
  });

  test('undo reopens the page of the change and restores its selection', () => {
    const state = act(
      open(page('a', [shape('s')]), page('b')),
      { type: 'selected', ids: ['s'] },
      { type: 'removed' },
      { type: 'page-opened', pageId: 'b' },
      { type: 'undone' },
    );
    expect(state).toMatchObject({ pageId: 'a', selected: ['s'] });
  });

  test('replacing the document can be undone', () => {
    const theirs = projectDocument.parse({ version: 2, pages: [page('x')] });
    const state = act(start, { type: 'document-replaced', document: theirs, message: 'Theirs.' });
    expect(state).toMatchObject({ pageId: 'x', selected: [] });
    expect(act(state, { type: 'undone' }).document).toBe(start.document);
  });
});

describe('changes of somebody else', () => {
  const titled = (pageId: string, title: string): EditorAction => ({
    type: 'page-changed',
    pageId,
    patch: { title },
  });
  const titles = ({ document }: EditorState) => document.pages.map(({ title }) => title);
  /** The editor after somebody else has changed its document. */
  function joined(state: EditorState, ...theirActions: EditorAction[]): EditorState {
    const base = state.document;
    const theirs = act(openEditor(base), ...theirActions).document;
    return act(state, { type: 'merged', document: theirs, base, theirs });
  }

  test('undo and redo change only what the user changed, and keep what somebody else changed', () => {
    const start = open(page('a', [shape('s')]), page('b'));
    const mine = act(start, titled('a', 'One'), titled('a', 'Two'), { type: 'undone' });
    const both = joined(mine, titled('b', 'Theirs'));
    expect(titles(both)).toEqual(['One', 'Theirs']);
    expect(titles(act(both, { type: 'redone' }))).toEqual(['Two', 'Theirs']);
    const undone = act(both, { type: 'undone' });
    expect(titles(undone)).toEqual(['', 'Theirs']);
    expect(titles(act(undone, { type: 'redone' }, { type: 'redone' }))).toEqual(['Two', 'Theirs']);
    expect(titles(act(joined(mine, titled('a', 'Theirs')), { type: 'undone' }))).toEqual(['Theirs', '']);
  });

  test('the page and the selection stay where they still exist', () => {
    const start = act(open(page('a'), page('b', [shape('s'), shape('r')])), {
      type: 'page-opened',
      pageId: 'b',
    });
    const mine = act(start, { type: 'selected', ids: ['s', 'r'] });
    const removal: EditorAction[] = [
      { type: 'page-opened', pageId: 'b' },
      { type: 'selected', ids: ['r'] },
      { type: 'removed' },
    ];
    expect(joined(mine, ...removal)).toMatchObject({ pageId: 'b', selected: ['s'] });
    expect(joined(mine, { type: 'page-removed', pageId: 'b' })).toMatchObject({ pageId: 'a', selected: [] });
  });

  test('a drag that is under way stays one step, which can be canceled', () => {
    const start = act(open(page('a', [shape('s')]), page('b')), { type: 'selected', ids: ['s'] });
    const drag = (x: number): EditorAction => ({
      type: 'elements-framed',
      frames: { s: { x, y: 10, w: 20, h: 10, rotation: 0 } },
      group: 'drag 1',
    });
    const both = act(joined(act(start, drag(20)), titled('b', 'Theirs')), drag(30));
    expect(both.past).toHaveLength(1);
    for (const action of [{ type: 'undone' }, { type: 'reverted', group: 'drag 1' }] as const) {
      const back = act(both, action);
      expect([element(back, 's')?.x, titles(back)]).toEqual([10, ['', 'Theirs']]);
    }
  });
});

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

  test('the sheets follow each other in the order of the PDF, and a master counts as the page that was open before it', () => {
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

  test('messages number the pages like the PDF', () => {
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
    const added = act(start, { type: 'master-added', master: page('default'), pageId: 'b' });
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
    ).toMatchObject({ x: 0, y: 0, w: 420, h: 105 });
  });
});

describe('random actions', () => {
  const someId = fc.constantFrom('a', 'b', 's', 't', 's-2', 't-2', 'none');
  const size = fc.double({ min: -5000, max: 5000, noNaN: true });
  const someSheet = fc.constantFrom<OpenSheet>(
    { kind: 'page' },
    { kind: 'cover' },
    { kind: 'contents', index: 0 },
    { kind: 'master', id: 'default' },
    { kind: 'master', id: 'm' },
  );
  const someSettings = fc.constantFrom(
    { includecover: true },
    { includecover: false },
    { includeToc: true },
    { includeToc: false },
    { format: 'square' as const },
  );
  const someAction: fc.Arbitrary<EditorAction> = fc.oneof(
    fc.record({ type: fc.constant('pages-added' as const), pages: fc.constant([page('a')]), after: someId }),
    fc.record({ type: fc.constant('page-duplicated' as const), pageId: someId }),
    fc.record({ type: fc.constant('page-removed' as const), pageId: someId }),
    fc.record({
      type: fc.constant('page-moved' as const),
      pageId: someId,
      to: fc.integer({ min: -3, max: 9 }),
    }),
    fc.record({ type: fc.constant('page-opened' as const), pageId: someId }),
    fc.record({ type: fc.constant('sheet-opened' as const), sheet: someSheet }),
    fc.record({ type: fc.constant('master-added' as const), master: fc.constant(page('m')), pageId: someId }),
    fc.record({ type: fc.constant('master-removed' as const), id: fc.constantFrom('m', 'default') }),
    fc.record({ type: fc.constant('master-applied' as const), id: fc.constantFrom('m', 'none') }),
    fc.record({ type: fc.constant('document-changed' as const), patch: someSettings }),
    fc.record({
      type: fc.constant('elements-added' as const),
      elements: fc.constant([shape('s'), text('t', '{page}')]),
    }),
    fc.record({ type: fc.constant('moved' as const), dx: size, dy: size }),
    fc.record({ type: fc.constant('selected' as const), ids: fc.array(someId) }),
    fc.record({ type: fc.constant('aligned' as const), alignment: fc.constantFrom('left', 'middle') }),
    fc.record({ type: fc.constant('layered' as const), move: fc.constantFrom('front', 'backward') }),
    fc.record({
      type: fc.constant('moved-to-layer' as const),
      id: someId,
      to: fc.integer({ min: -3, max: 9 }),
    }),
    fc.record({ type: fc.constant('locked' as const), ids: fc.array(someId), locked: fc.boolean() }),
    fc.record({
      type: fc.constant('elements-framed' as const),
      frames: fc.dictionary(someId, fc.record({ x: size, y: size, w: size, h: size, rotation: size })),
      group: fc.constantFrom('drag 1', 'drag 2'),
    }),
    fc.record({ type: fc.constant('reverted' as const), group: fc.constantFrom('drag 1', 'drag 2') }),
    fc
      .constantFrom(
        'removed',
        'duplicated',
        'copied',
        'cut',
        'pasted',
        'all-selected',
        'undone',
        'redone',
        'settled',
        'filled',
        'grouped',
        'ungrouped',
      )
      .map((type) => ({ type }) as EditorAction),
  );

  test('any sequence of actions leaves a valid document and can be undone completely', () => {
    fc.assert(
      fc.property(fc.array(someAction, { maxLength: 40 }), (actions) => {
        const start = open(page('a', [shape('s'), text('t', 'Hello')]), page('b'));
        const end = act(start, ...actions);
        expect(documentPages.safeParse(end.document.pages).error).toBeUndefined();
        expect(documentMasters.safeParse(end.document.masters).error).toBeUndefined();
        expect(hasSheet(end.document, end.sheet)).toBe(true);
        const ids = new Set(elementsOf(end).map(({ id }) => id));
        expect(end.selected.every((id) => ids.has(id))).toBe(true);
        expect(end.pageId === null).toBe(end.document.pages.length === 0);
        expect(end.document.pages.every(({ id }) => id !== end.pageId) && end.pageId !== null).toBe(false);
        const undone = act(end, ...end.past.map((): EditorAction => ({ type: 'undone' })));
        expect(undone.document).toEqual(start.document);
      }),
      { numRuns: 300 },
    );
  });
});

test('a viewer can select but not change the document', () => {
  const start = open(page('a', [shape('s')]), page('b'));
  const store = createEditorStore(start, false);
  store.dispatch({ type: 'selected', ids: ['s'] });
  store.dispatch({ type: 'removed' });
  store.dispatch({ type: 'undone' });
  expect(store.get().document).toBe(start.document);
  expect(store.get().selected).toEqual(['s']);
  expect(store.get().message?.refused).toBe(true);
});
