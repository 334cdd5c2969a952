import { expect, test } from 'vitest';
import { galleryFiltersQuery, galleryHref, parseGalleryUrl } from '@/components/gallery/gallery-url';
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
  const filters = { starred: true, deleted: false, createdBy: person, q: 'calm & oak' };
  expect(parseGalleryUrl(new URLSearchParams(galleryFiltersQuery(filters)))).toEqual(filters);
  const none = parseGalleryUrl({ starred: 'yes', createdBy: 'me', q: ['  ', 'b'] });
  expect(galleryFiltersQuery(none)).toBe('');
  expect(galleryHref('p')).toBe('/projects/p/gallery');
});
