import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EditorAction } from '@/components/editor/editor-action';
import { hasSheet, type OpenSheet, openPage } from '@/components/editor/editor-change';
import { createEditorStore } from '@/components/editor/editor-store';
import { newShape, newText } from '@/components/editor/new-elements';
import { readClipboard, writeClipboard } from '@/components/editor/paste/clipboard';
import { documentMasters } from '@/lib/document/masters';
import { documentPages, MAX_DOCUMENT_PAGES, MAX_ELEMENTS, type PageElement } from '@/lib/document/page-model';
import {
  act,
  element,
  elementsOf,
  layersOf,
  open,
  page,
  pageIds,
  shape,
  text,
} from './support/editor-actions';

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
    const full = open(...Array.from({ length: MAX_DOCUMENT_PAGES }, (_, index) => page(`p${index}`)));
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

  test('elements that are inserted at the same place do not cover each other, even if a text has grown since', () => {
    const add = (element: PageElement): EditorAction => ({ type: 'elements-added', elements: [element] });
    const a4 = { width: 210, height: 297 };
    const added = act(open(page('a'), page('b')), add(newText(a4)), add(newShape(a4, 'rect')));
    const [first] = elementsOf(added);
    const grown = act(added, { type: 'elements-changed', ids: [first?.id ?? ''], patch: { h: 50 } });
    const again = act(grown, add(newText(a4)), add(newShape(a4, 'rect')), add(newText(a4)));
    expect(elementsOf(again).map(({ type, x, y }) => [type, x, y])).toEqual([
      ['text', 60, 138.5],
      ['shape', 75, 128.5],
      ['text', 65, 143.5],
      ['shape', 80, 133.5],
      ['text', 70, 148.5],
    ]);
    const elsewhere = act(again, { type: 'page-opened', pageId: 'b' }, add(newText(a4)));
    expect(elementsOf(elsewhere)).toMatchObject([{ x: 60, y: 138.5 }]);
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
    fc.record({
      type: fc.constant('master-added' as const),
      master: fc.constant(page('m')),
      user: fc.oneof(fc.constantFrom('cover' as const, 'contents' as const), fc.record({ pageId: someId })),
    }),
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
