import { expect, test } from 'vitest';
import {
  apiFilters,
  galleryFiltersQuery,
  galleryHref,
  parseGalleryUrl,
  timeChoice,
} from '@/components/gallery/gallery-url';
import { successorOf } from '@/components/gallery/use-focus-successor';

const order = ['a', 'b', 'c', 'd', 'e'];
const person = '7a1e2f3c-4b5d-4e6f-8a7b-9c0d1e2f3a4b';

test('the focus moves to the image after the removed ones, or to the one before at the end', () => {
  expect(successorOf(order, ['b'])).toBe('c');
  expect(successorOf(order, ['b', 'd'])).toBe('e');
  expect(successorOf(order, ['d', 'e'])).toBe('c');
  expect(successorOf(order, order)).toBeNull();
});

test('the filters of the gallery survive their URL, and invalid ones are ignored', () => {
  const shared = { starred: true, deleted: false, createdBy: person, q: 'calm & oak', material: 'oak_01' };
  for (const filters of [
    { ...shared, last: 7 },
    { ...shared, from: '2026-02-01', to: '2026-02-28' },
    { ...shared, to: '2026-02-28' },
  ]) {
    expect(parseGalleryUrl(new URLSearchParams(galleryFiltersQuery(filters)))).toEqual(filters);
  }
  const none = parseGalleryUrl({
    starred: 'yes',
    createdBy: 'me',
    q: ['a\0b', 'b'],
    material: '\0',
    last: '8',
    from: '2026-02-30',
  });
  expect(galleryFiltersQuery(none)).toBe('');
  expect(galleryHref('p')).toBe('/projects/p/gallery');
});

test('the fields for days are hidden again when going back to a URL with a number of recent days', () => {
  const filters = { starred: false, deleted: false };
  const day = '2026-02-28';
  const choices = [{}, { last: 7 }, { from: day }, { to: day }].map((time) =>
    [false, true].map((opensDays) => timeChoice({ ...filters, ...time }, opensDays)),
  );
  expect(choices).toEqual([
    ['any', 'days'],
    ['7', '7'],
    ['days', 'days'],
    ['days', 'days'],
  ]);
});

test('the last days of the gallery include today and are counted in UTC', () => {
  const now = Date.parse('2026-03-02T23:59:00Z');
  const filters = { starred: false, deleted: false };
  expect(apiFilters({ ...filters, last: 1 }, now)).toEqual({ ...filters, from: '2026-03-02' });
  expect(apiFilters({ ...filters, last: 7 }, now)).toEqual({ ...filters, from: '2026-02-24' });
  expect(apiFilters({ ...filters, from: '2026-01-01' }, now)).toEqual({ ...filters, from: '2026-01-01' });
});
