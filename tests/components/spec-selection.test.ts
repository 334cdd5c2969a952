import { expect, test } from 'vitest';
import { choose, nothingChosen, type Selection } from '@/components/specs/selection';

const ids = ['a', 'b', 'c', 'd', 'e'];
const click = (selection: Selection, id: string, extend = false) =>
  choose(selection, ids, { id, isChosen: !selection.chosen.has(id), extend });
const chosenIn = ({ chosen }: Selection) => [...chosen].sort();

test('a click with Shift chooses all specs from the last click to this one, in both directions', () => {
  const down = click(click(nothingChosen, 'b'), 'd', true);
  expect(chosenIn(down)).toEqual(['b', 'c', 'd']);
  expect(chosenIn(click(click(nothingChosen, 'd'), 'b', true))).toEqual(['b', 'c', 'd']);
  const dropped = click(down, 'c', true);
  expect(chosenIn(dropped)).toEqual(['b']);
});

test('a click with Shift chooses one spec when none was clicked before, or when that one is no longer shown', () => {
  expect(chosenIn(click(nothingChosen, 'c', true))).toEqual(['c']);
  const gone = { chosen: new Set(['x']), anchor: 'x' };
  expect(chosenIn(click(gone, 'c', true))).toEqual(['c', 'x']);
});
