import { describe, expect, test } from 'vitest';
import { canvasKey, nextInOrder } from '@/components/editor/canvas/canvas-keys';
import type { EditorAction } from '@/components/editor/editor-action';
import { openPage } from '@/components/editor/editor-change';
import { editorReducer } from '@/components/editor/editor-reducer';
import { type EditorState, openEditor } from '@/components/editor/editor-state';
import { boundsOfAll } from '@/components/editor/geometry/frames';
import { movedUnits, scaledTogether } from '@/components/editor/geometry/units';
import {
  clickedIds,
  enteredGroup,
  isWholeGroup,
  withGroupMembers,
} from '@/components/editor/group-selection';
import { unitsInLayers } from '@/components/editor/layers';
import { readClipboard, writeClipboard } from '@/components/editor/paste/clipboard';
import { mergeDocuments } from '@/lib/document/merge/merge-documents';
import { type PageElement, pageData, pageElement } from '@/lib/document/page-model';
import { projectDocument } from '@/lib/document/schema';

const shape = (id: string, place: Partial<PageElement> = {}): PageElement =>
  pageElement.parse({ id, type: 'shape', kind: 'rect', x: 10, y: 10, w: 20, h: 10, ...place });
const open = (...elements: PageElement[]): EditorState =>
  openEditor(projectDocument.parse({ version: 1, pages: [pageData.parse({ id: 'p', elements })] }));
const act = (state: EditorState, ...actions: EditorAction[]) => actions.reduce(editorReducer, state);
const elementsOf = (state: EditorState) => openPage(state)?.elements ?? [];
const select = (...ids: string[]): EditorAction => ({ type: 'selected', ids });
const groupsOf = (state: EditorState) =>
  Object.fromEntries(elementsOf(state).map(({ id, groupId }) => [id, groupId]));
const layersOf = (state: EditorState) =>
  unitsInLayers(elementsOf(state)).map((unit) => unit.map(({ id }) => id));

const four = () =>
  open(
    shape('a', { z: 0 }),
    shape('b', { x: 40, z: 1 }),
    shape('c', { x: 80, z: 2 }),
    shape('d', { y: 60, z: 3 }),
  );
const grouped = () => act(four(), select('a', 'c'), { type: 'grouped' });

describe('groups', () => {
  test('grouping gathers the elements below the topmost one, and ungrouping leaves a document without groups', () => {
    const state = grouped();
    expect(groupsOf(state)).toEqual({ a: 'a', b: undefined, c: 'a', d: undefined });
    expect(layersOf(state)).toEqual([['b'], ['a', 'c'], ['d']]);
    expect(state.message?.text).toBe('2 elements: grouped.');
    const ungrouped = act(state, { type: 'ungrouped' });
    expect(ungrouped.selected).toEqual(['a', 'c']);
    expect(JSON.stringify(ungrouped.document)).not.toContain('groupId');
    expect(act(state, { type: 'undone' }).document.pages).toEqual(four().document.pages);
  });

  test('grouping a selection with a group makes one group of all its elements', () => {
    const state = act(grouped(), select('a', 'c', 'd'), { type: 'grouped' });
    expect(groupsOf(state)).toEqual({ a: 'a-2', b: undefined, c: 'a-2', d: 'a-2' });
    expect(act(state, { type: 'grouped' }).document).toBe(state.document);
  });

  test('a single element cannot be grouped, and elements without a group cannot be ungrouped', () => {
    const one = act(four(), select('a'), { type: 'grouped' });
    expect(one.message).toMatchObject({ refused: true, text: 'Select at least two elements to group them.' });
    const none = act(four(), select('a', 'b'), { type: 'ungrouped' });
    expect(none.message).toMatchObject({ refused: true, text: 'The selection has no group.' });
  });

  test('the last element of a group is no longer in a group', () => {
    const state = act(grouped(), select('a'), { type: 'removed' });
    expect(elementsOf(state).find(({ id }) => id === 'c')).not.toHaveProperty('groupId');
  });

  test('a copy of a group is a new group, and a copy of one of its elements is in no group', () => {
    const state = act(grouped(), { type: 'duplicated' });
    expect(groupsOf(state)).toMatchObject({ a: 'a', c: 'a', 'a-2': 'a-2', 'c-2': 'a-2' });
    const read = readClipboard(writeClipboard(elementsOf(state)));
    const pasted = act(state, { type: 'pasted', elements: read && 'elements' in read ? read.elements : [] });
    expect(groupsOf(pasted)).toMatchObject({ 'a-3': 'a-3', 'c-3': 'a-3', 'a-4': 'a-4', 'c-4': 'a-4' });
    const single = act(grouped(), select('a'), { type: 'duplicated' });
    expect(groupsOf(single)).toMatchObject({ a: 'a', c: 'a', 'a-2': undefined });
  });

  test('a group moves through the layers as a unit, and an element of a group moves within the group', () => {
    const state = grouped();
    expect(layersOf(act(state, { type: 'layered', move: 'forward' }))).toEqual([['b'], ['d'], ['a', 'c']]);
    expect(layersOf(act(state, select('d'), { type: 'layered', move: 'backward' }))).toEqual([
      ['b'],
      ['d'],
      ['a', 'c'],
    ]);
    expect(layersOf(act(state, select('a'), { type: 'layered', move: 'front' }))).toEqual([
      ['b'],
      ['c', 'a'],
      ['d'],
    ]);
    expect(layersOf(act(state, { type: 'moved-to-layer', id: 'c', to: 0 }))).toEqual([
      ['a', 'c'],
      ['b'],
      ['d'],
    ]);
  });

  test('a group is aligned and distributed as a unit', () => {
    const state = act(grouped(), { type: 'aligned', alignment: 'left' });
    expect(elementsOf(state).map(({ x }) => x)).toEqual([0, 40, 70, 10]);
    const few = act(grouped(), select('a', 'c', 'd'), { type: 'distributed', axis: 'vertical' });
    expect(few.message?.text).toBe('Select at least three elements to distribute them.');
  });

  test('when two users group different elements at the same time, both groups are kept', () => {
    const { document } = four();
    const mine = act(openEditor(document), select('a', 'b'), { type: 'grouped' });
    const theirs = act(openEditor(document), select('c', 'd'), { type: 'grouped' });
    const merged = mergeDocuments(document, mine.document, theirs.document);
    expect(merged.conflicts).toEqual([]);
    expect(groupsOf(openEditor(merged.document))).toEqual({ a: 'a', b: 'a', c: 'c', d: 'c' });
  });

  test('a group that a merge leaves with one element is dissolved', () => {
    const base = act(four(), select('a', 'b', 'c'), { type: 'grouped' }).document;
    const mine = act(openEditor(base), select('a'), { type: 'removed' });
    const theirs = act(openEditor(base), select('b'), { type: 'removed' });
    expect(groupsOf(theirs)).toEqual({ a: 'a', c: 'a', d: undefined });
    const { document } = mergeDocuments(base, mine.document, theirs.document);
    expect(groupsOf(openEditor(document))).toEqual({ c: undefined, d: undefined });
  });
});

describe('the selection of groups', () => {
  const elements = elementsOf(grouped());

  test('a click selects the whole group, and single elements once the group has been entered', () => {
    expect(clickedIds(elements, [], 'a')).toEqual(['a', 'c']);
    expect(clickedIds(elements, ['a', 'c'], 'c')).toEqual(['a', 'c']);
    expect(enteredGroup(elements, ['a', 'c'])).toBeNull();
    expect(enteredGroup(elements, ['a'])).toBe('a');
    expect(enteredGroup(elements, ['a', 'b'])).toBeNull();
    expect(clickedIds(elements, ['a'], 'c')).toEqual(['c']);
    expect(clickedIds(elements, ['a'], 'b')).toEqual(['b']);
  });

  test('toggling an element adds or removes its group', () => {
    const state = act(grouped(), select('b'), { type: 'toggled', id: 'c' });
    expect(state.selected).toEqual(['a', 'b', 'c']);
    expect(act(state, { type: 'toggled', id: 'a' }).selected).toEqual(['b']);
  });

  test('a selection rectangle that touches an element of a group selects the whole group', () => {
    expect(withGroupMembers(elements, ['c', 'd'])).toEqual(['a', 'c', 'd']);
  });

  test('a selection is a whole group only if it has all elements of one group and no others', () => {
    const some = (...ids: string[]) => elements.filter(({ id }) => ids.includes(id));
    expect(isWholeGroup(elements, some('a', 'c'))).toBe(true);
    expect(isWholeGroup(elements, some('a'))).toBe(false);
    expect(isWholeGroup(elements, some('a', 'b', 'c'))).toBe(false);
    expect(isWholeGroup(elements, some('b', 'd'))).toBe(false);
  });

  test('Tab reaches a group once, and its elements only after it has been entered', () => {
    const walk = (from: string | null, direction: 1 | -1, entered: string | null = null) =>
      nextInOrder(elements, from, direction, entered)?.id;
    expect([walk(null, 1), walk('a', 1), walk('b', 1), walk('d', -1)]).toEqual(['a', 'b', 'd', 'b']);
    expect(walk('c', 1)).toBe('b');
    expect([walk('b', 1, 'a'), walk('c', 1, 'a')]).toEqual(['c', 'd']);
  });

  test('Ctrl+G groups and Ctrl+Shift+G ungroups', () => {
    const press = { ctrlKey: true, metaKey: false, shiftKey: false, altKey: false };
    expect(canvasKey({ ...press, key: 'g' }, elements)).toEqual({ type: 'grouped' });
    expect(canvasKey({ ...press, key: 'G', shiftKey: true }, elements)).toEqual({ type: 'ungrouped' });
  });
});

test('the elements of a unit keep their relative positions when its bounds move or scale', () => {
  const unit = [shape('a', { rotation: 30 }), shape('b', { x: 70, y: 40 })];
  const moved = movedUnits([unit], ([frame]) => (frame ? [{ ...frame, x: 0, y: 5 }] : []));
  expect(boundsOfAll(moved)).toMatchObject({ left: 0, top: 5 });
  expect((moved[1]?.x ?? 0) - (moved[0]?.x ?? 0)).toBeCloseTo(60);
  const [before, after] = [boundsOfAll(unit), boundsOfAll(scaledTogether(unit, 2))];
  expect(after?.left).toBeCloseTo(before?.left ?? 0);
  expect((after?.right ?? 0) - (after?.left ?? 0)).toBeCloseTo(
    2 * ((before?.right ?? 0) - (before?.left ?? 0)),
  );
});
