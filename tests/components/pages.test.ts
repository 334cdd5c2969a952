import { expect, test } from 'vitest';
import { type Page, withNewBeginning } from '@/hooks/pages';

type Item = { id: string };
const page = (ids: string, nextCursor: string | null = null): Page<Item> => ({
  items: [...ids].map((id) => ({ id })),
  nextCursor,
});
const told = ({ items, nextCursor }: Page<Item>) => [items.map(({ id }) => id).join(''), nextCursor];

test.each([
  ['nothing is shown yet', null, page('ed', 'd'), ['ed', 'd']],
  ['nothing changed and the first page is all', page('ed', 'd'), page('ed', 'd'), ['ed', 'd']],
  ['more pages are shown than the first', page('edcba', null), page('fed', 'd'), ['fedcba', null]],
  ['an item below the first page has moved up', page('edcba', null), page('bed', 'd'), ['bedca', null]],
  ['there are more new items than fit on the first page', page('cba', null), page('gfe', 'e'), ['gfe', 'e']],
  ['all items are gone', page('cba', 'a'), page(''), ['', null]],
])('a reload of the first page merges correctly when %s', (_, shown, begin, expected) => {
  expect(told(withNewBeginning(shown, begin))).toEqual(expected);
});
