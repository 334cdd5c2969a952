import fc from 'fast-check';
import { createElement, type PointerEvent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { guideKey, viewKey } from '@/components/editor/canvas/canvas-keys';
import { useGuideDrag } from '@/components/editor/canvas/use-guide-drag';
import type { EditorAction } from '@/components/editor/editor-action';
import { openPage } from '@/components/editor/editor-change';
import { editorReducer } from '@/components/editor/editor-reducer';
import { type EditorState, openEditor } from '@/components/editor/editor-state';
import { createEditorStore, type EditorStore } from '@/components/editor/editor-store';
import { fitPaper } from '@/components/editor/fit-paper';
import { guideAt, withGuideMoved } from '@/components/editor/geometry/guides';
import { snapLines } from '@/components/editor/geometry/snap';
import { mergedGuides } from '@/lib/document/guides';
import { mergeDocuments } from '@/lib/document/merge/merge-documents';
import { MAX_GUIDES, type PageGuide, pageData } from '@/lib/document/page-model';
import { projectDocument } from '@/lib/document/schema';

afterEach(() => vi.unstubAllGlobals());

const A4 = { width: 210, height: 297 };
const x = (at: number): PageGuide => ({ axis: 'x', at });
const y = (at: number): PageGuide => ({ axis: 'y', at });
const open = (...guides: PageGuide[]): EditorState =>
  openEditor(
    projectDocument.parse({
      version: 1,
      pages: [pageData.parse({ id: 'p', elements: [], ...(guides.length > 0 && { guides }) })],
    }),
  );
const act = (state: EditorState, ...actions: EditorAction[]) => actions.reduce(editorReducer, state);
const set = (...guides: PageGuide[]): EditorAction => ({ type: 'guides-changed', guides });

describe('the guides of a page', () => {
  test('guides are rounded and can be undone, and removing the last one removes the field from the page', () => {
    const state = act(open(), set(x(10.004), y(20)));
    expect(openPage(state)?.guides).toEqual([x(10), y(20)]);
    expect(act(state, set(x(10), y(20))).revision).toBe(state.revision);
    expect(act(state, { type: 'undone' }).document).toEqual(open().document);
    expect(openPage(act(state, set()))).not.toHaveProperty('guides');
  });

  test('merged guides stay within the limit and do not depend on which side is mine', () => {
    const many = (from: number) => Array.from({ length: MAX_GUIDES }, (_, i) => x(from + i));
    const sides = { base: [], mine: many(0), theirs: many(100) };
    const merged = mergedGuides(sides);
    expect(merged).toHaveLength(MAX_GUIDES);
    expect(mergedGuides({ ...sides, mine: sides.theirs, theirs: sides.mine })).toEqual(merged);
  });

  test('a guide beyond the limit is refused', () => {
    const full = open(...Array.from({ length: MAX_GUIDES }, (_, index) => x(index)));
    const refused = act(full, set(...(openPage(full)?.guides ?? []), y(1)));
    expect(refused.document).toBe(full.document);
    expect(refused.message).toMatchObject({ refused: true, text: 'A page has at most 50 guides.' });
  });

  test('a master has its own guides', () => {
    const state = act(open(), { type: 'sheet-opened', sheet: { kind: 'master', id: 'default' } }, set(x(12)));
    expect(state.document.masters[0]?.guides).toEqual([x(12)]);
    expect(state.document.pages[0]).not.toHaveProperty('guides');
  });

  test('guides scale with their page when the paper changes', () => {
    const { document } = open(x(105), y(0));
    const { orientation, customSize } = document;
    const { pages } = fitPaper(document, { format: 'A3', orientation, customSize }, true);
    expect(pages?.[0]?.guides?.[0]?.at).toBeCloseTo(148.5, 0);
  });

  test('two editors can change guides without a conflict', () => {
    const base = open(x(10), y(10)).document;
    const mine = act(openEditor(base), set(x(10), y(10), x(50))).document;
    const theirs = act(openEditor(base), set(y(10), y(80))).document;
    for (const merged of [mergeDocuments(base, mine, theirs), mergeDocuments(base, theirs, mine)]) {
      expect(merged.conflicts).toEqual([]);
      expect(merged.document.pages[0]?.guides).toEqual([x(50), y(10), y(80)]);
    }
    const emptied = act(openEditor(base), set()).document;
    const [page] = mergeDocuments(base, base, emptied).document.pages;
    expect(page).not.toHaveProperty('guides');
  });
});

describe('the position of a guide', () => {
  const lines = snapLines(A4, 12, []);

  test('a dragged guide snaps to the lines of its axis, and a position off the page gives no guide', () => {
    expect(guideAt('x', 104, A4, { lines, threshold: 2 })).toEqual(x(105));
    expect(guideAt('x', 104, A4, null)).toEqual(x(104));
    expect(guideAt('y', 104, A4, { lines, threshold: 2 })).toEqual(y(104));
    expect(guideAt('x', -1, A4, { lines, threshold: 2 })).toBeNull();
    expect(guideAt('y', 297.1, A4, null)).toBeNull();
  });

  test('a guide that is moved stays on the page', () => {
    const place = fc.double({ min: 0, max: 210, noNaN: true });
    const way = fc.double({ min: -500, max: 500, noNaN: true });
    fc.assert(
      fc.property(place, way, (at, by) => {
        const [moved] = withGuideMoved([x(at), y(1)], 0, by, A4);
        expect(moved?.at).toBeGreaterThanOrEqual(0);
        expect(moved?.at).toBeLessThanOrEqual(210);
      }),
    );
  });

  test('elements snap to guides', () => {
    expect(snapLines(A4, 12, [], [x(33), y(44)])).toMatchObject({
      x: expect.arrayContaining([33]),
      y: expect.arrayContaining([44]),
    });
  });
});

/** A component that presses the guide `target` while rendering. `useGuideDrag` is a hook, so it needs a component. */
function PressedGuide({ store, target }: { store: EditorStore; target: object }) {
  const press = useGuideDrag({ store, size: A4, margin: 12, px: 1, paper: { current: null }, canEdit: true });
  const nativeEvent = { pointerId: 1, button: 0, clientX: 10, clientY: 0 };
  press({ nativeEvent, target } as PointerEvent<HTMLElement>);
  return null;
}

describe('dragging a guide', () => {
  /**
   * Drags the page's first guide horizontally to `to`. Returns the page's guides and the selector of the focused
   * element.
   */
  function drag(guides: PageGuide[], to: number) {
    const window = new EventTarget();
    const fire = (type: string, clientX: number) =>
      window.dispatchEvent(Object.assign(new Event(type), { pointerId: 1, clientX, clientY: 0 }));
    const store = createEditorStore(open(...guides), true);
    const kept = () => openPage(store.get())?.guides ?? [];
    let focused = '';
    class FakeElement {
      closest(selector: string) {
        return selector === '[data-guide]' ? this : null;
      }
      getAttribute(name: string) {
        return name === 'data-axis' ? 'x' : '0';
      }
    }
    const querySelector = (selector: string) =>
      selector === '[data-desk]' || kept().some((_, index) => selector === `[data-guide="${index}"]`)
        ? { focus: () => (focused = selector) }
        : null;
    vi.stubGlobal('window', window);
    vi.stubGlobal('Element', FakeElement);
    vi.stubGlobal('document', { querySelector });
    vi.stubGlobal('requestAnimationFrame', (then: () => void) => then());
    renderToStaticMarkup(createElement(PressedGuide, { store, target: new FakeElement() }));
    fire('pointermove', to);
    fire('pointerup', to);
    return { guides: kept(), focused };
  }

  test('a guide that is dropped on the page has the focus', () => {
    expect(drag([x(10), x(50)], 30)).toEqual({ guides: [x(30), x(50)], focused: '[data-guide="0"]' });
  });

  test('a guide that is dropped off the page is removed, and the next Delete removes no other guide', () => {
    expect(drag([x(10), x(50)], -5)).toEqual({ guides: [x(50)], focused: '[data-desk]' });
  });
});

describe('the keys of guides', () => {
  const press = (key: string, more: object = {}) => ({
    key,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    ...more,
  });

  test('arrows across a guide move it, Delete removes it, and other keys do nothing', () => {
    expect(guideKey(press('ArrowRight'), 'x')).toBe(1);
    expect(guideKey(press('ArrowUp', { shiftKey: true }), 'y')).toBe(-10);
    expect(guideKey(press('ArrowUp'), 'x')).toBeNull();
    expect(guideKey(press('Delete'), 'y')).toBe('remove');
    expect(guideKey(press('a'), 'y')).toBeNull();
  });

  test('Ctrl+; shows or hides the guides', () => {
    expect(viewKey(press(';', { ctrlKey: true }))).toBe('guides');
    expect(viewKey(press(';'))).toBeNull();
  });
});
