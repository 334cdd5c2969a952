import { describe, expect, test } from 'vitest';
import type { EditorState } from '@/components/editor/editor-state';
import { type PageElement, pageElement } from '@/lib/document/page-model';
import { act, element, elementsOf, open, page, shape, text } from './support/editor-actions';

describe('texts that grow', () => {
  const growing = (id: string, more: Partial<PageElement> = {}): PageElement =>
    pageElement.parse({ ...text(id, 'Oak'), grows: true, ...more });
  const grown = (state: EditorState, heights: Record<string, number>) =>
    act(state, { type: 'texts-grown', heights });

  test('a text grows to the height that it needs, but not beyond the page, and others keep their frames', () => {
    const state = open(
      page('p', [
        growing('a'),
        growing('low', { y: 270 }),
        growing('fixed', { locked: true }),
        text('b', 'Oak'),
      ]),
    );
    const next = grown(state, { a: 33.3, low: 80, fixed: 40, b: 40 });
    expect(elementsOf(next).map(({ id, y, h }) => [id, y, h])).toEqual([
      ['a', 50, 33.3],
      ['low', 270, 27],
      ['fixed', 50, 20],
      ['b', 50, 20],
    ]);
    expect(grown(next, { a: 10 }).document).toBe(next.document);
  });

  test('the growth is part of the undo step of the text', () => {
    const patch = { fontSize: 20 };
    const changed = act(open(page('p', [growing('a')])), { type: 'elements-changed', ids: ['a'], patch });
    const next = grown(changed, { a: 40 });
    expect(next.past).toEqual(changed.past);
    expect(element(act(next, { type: 'undone' }), 'a')).toMatchObject({ h: 20, fontSize: 11 });
    expect(element(act(next, { type: 'undone' }, { type: 'redone' }), 'a')).toMatchObject({ h: 40 });
  });

  test('the upper edge of a rotated text stays in place', () => {
    const state = open(page('p', [growing('a', { rotation: 90 })]));
    // The frame is rotated clockwise by a right angle, so its upper edge is on the right.
    const { x, y, w, h } = element(grown(state, { a: 40 }), 'a') ?? shape('none');
    expect([x + w / 2 + h / 2, y + h / 2, h]).toEqual([90, 60, 40]);
  });

  test('a rotated text at the lower edge of the page grows sideways to the height that it needs', () => {
    const state = open(page('p', [growing('a', { x: 50, y: 280, w: 20, h: 10, rotation: 90 })]));
    expect(element(grown(state, { a: 40 }), 'a')).toMatchObject({ h: 40 });
  });
});
