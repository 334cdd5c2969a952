import { describe, expect, test } from 'vitest';
import type { EditorAction } from '@/components/editor/editor-action';
import { MAX_HISTORY } from '@/components/editor/editor-history';
import { type EditorState, openEditor } from '@/components/editor/editor-state';
import { projectDocument } from '@/lib/document/schema';
import { act, element, open, page, shape } from './support/editor-actions';

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

describe('changes by another user', () => {
  const titled = (pageId: string, title: string): EditorAction => ({
    type: 'page-changed',
    pageId,
    patch: { title },
  });
  const titles = ({ document }: EditorState) => document.pages.map(({ title }) => title);
  /**
   * Applies `theirActions` to the document of `state`, as another user would, and returns `state` after the merge.
   */
  function joined(state: EditorState, ...theirActions: EditorAction[]): EditorState {
    const base = state.document;
    const theirs = act(openEditor(base), ...theirActions).document;
    return act(state, { type: 'merged', document: theirs, base, theirs });
  }

  test('undo and redo change only what the user changed, and keep the changes of others', () => {
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

  test('the open page and the selected elements stay if they still exist', () => {
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

  test('a drag in progress remains one undo step and can be canceled', () => {
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
