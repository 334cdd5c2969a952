import { expect, test } from 'vitest';
import { noSelection, type Selection, select, selectAll, selectedIn } from '@/hooks/selection';

const order = ['a', 'b', 'c', 'd', 'e'];
const click = (selection: Selection, id: string, extend = false) =>
  select(selection, order, { id, isSelected: !selection.ids.has(id), extend });
const sorted = ({ ids }: Selection) => [...ids].sort();

test('a click with Shift selects everything from the last clicked item to this one, in both directions', () => {
  const down = click(click(noSelection, 'b'), 'd', true);
  expect(sorted(down)).toEqual(['b', 'c', 'd']);
  expect(sorted(click(click(noSelection, 'd'), 'b', true))).toEqual(['b', 'c', 'd']);
  expect(sorted(click(down, 'c', true))).toEqual(['b']);
});

test('a click with Shift selects one item if none was clicked before or the last clicked one is no longer shown', () => {
  expect(sorted(click(noSelection, 'c', true))).toEqual(['c']);
  expect(sorted(click({ ids: new Set(['x']), anchor: 'x' }, 'c', true))).toEqual(['c', 'x']);
});

test('a second click deselects an item, and all items can be selected', () => {
  expect(sorted(click(click(noSelection, 'a'), 'a'))).toEqual([]);
  expect(sorted(selectAll(order))).toEqual(order);
});

test('an item that the list no longer shows is not selected', () => {
  const selection = click(click(noSelection, 'a'), 'b');
  expect(selectedIn(selection, order)).toBe(selection);
  expect(sorted(selectedIn(selection, ['b', 'c']))).toEqual(['b']);
});
