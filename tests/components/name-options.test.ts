import { expect, test } from 'vitest';
import { ADD, nameOptions } from '@/components/specs/name-options';

const names = ['Café', ...Array.from({ length: 300 }, (_, n) => `Hotel ${n}`), 'Hotel'];
const labels = (typed: string) => nameOptions(names, typed).map(({ label }) => label);

test('at most 100 names are listed, and typing finds the others and offers a new name', () => {
  expect(labels('')).toEqual(names.slice(0, 100));
  expect(labels(' hotel 299 ')).toEqual(['Hotel 299']);
  expect(labels('cafe')).toEqual(['Café', 'Add “cafe”']);
  expect(labels('Hot').slice(99)).toEqual(['Hotel 99', 'Add “Hot”']);
  expect(nameOptions(names, 'Inn')).toEqual([{ value: ADD, label: 'Add “Inn”' }]);
});

test('a name that is typed in full is listed, also if more than 100 others contain it', () => {
  expect(labels('hotel').slice(0, 2)).toEqual(['Hotel', 'Hotel 0']);
  expect(labels('hotel')).toHaveLength(100);
});
