import { expect, test } from 'vitest';
import { gridMove } from '@/components/materials/grid-moves';

// 0 1 2 3
// 4 5 6 7
// 8 9
const grid = { columns: 4, count: 10 };

test.each([
  ['ArrowRight', 0, 1],
  ['ArrowRight', 3, 4],
  ['ArrowRight', 9, 9],
  ['ArrowLeft', 4, 3],
  ['ArrowLeft', 0, 0],
  ['ArrowDown', 1, 5],
  ['ArrowDown', 5, 9],
  ['ArrowDown', 6, 9],
  ['ArrowDown', 8, 8],
  ['ArrowDown', 9, 9],
  ['ArrowUp', 9, 5],
  ['ArrowUp', 2, 2],
  ['PageDown', 1, 9],
  ['PageDown', 3, 9],
  ['PageUp', 9, 1],
  ['Home', 6, 4],
  ['End', 4, 7],
  ['End', 8, 9],
])('%s moves from item %d to item %d', (key, index, to) => {
  expect(gridMove(key, false, { ...grid, index })).toBe(to);
});

test('Ctrl+Home and Ctrl+End move to the first and last item', () => {
  expect(gridMove('Home', true, { ...grid, index: 6 })).toBe(0);
  expect(gridMove('End', true, { ...grid, index: 2 })).toBe(9);
});

test('other keys do not move the focus', () => {
  for (const key of ['a', 'Enter', 'Escape', 'Tab']) {
    expect(gridMove(key, false, { ...grid, index: 3 })).toBeNull();
  }
});
