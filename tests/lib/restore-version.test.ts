import { expect, test } from 'vitest';
import { withRestored } from '@/lib/document/restore-version';
import { type DocumentContent, projectDocument } from '@/lib/document/schema';
import { jsonBytes } from '@/lib/export/packed-document';
import { parseRestored } from '@/lib/export/parse-body';

const page = (id: string, title: string, masterId = 'default') => ({ id, title, masterId, elements: [] });
const documentWith = (input: object): DocumentContent =>
  projectDocument.parse({ version: 0, pages: [], ...input });
const titles = ({ pages }: DocumentContent) => pages.map(({ title }) => title);

const earlier = documentWith({
  cover: { title: 'Earlier' },
  masters: [{ id: 'letterhead', title: 'Letterhead', elements: [] }],
  pages: [page('a', 'A'), page('b', 'B', 'letterhead'), page('c', 'C')],
});
const current = documentWith({ cover: { title: 'Now' }, pages: [page('c', 'C now'), page('d', 'D now')] });

test('a restored page replaces the current page with the same id, and nothing else changes', () => {
  const restored = withRestored(current, earlier, ['c']);
  expect(titles(restored)).toEqual(['C', 'D now']);
  expect(restored).toEqual({ ...current, pages: [earlier.pages[2], current.pages[1]] });
});

test('a restored page that was removed returns to its earlier position, with the master that it uses', () => {
  const restored = withRestored(current, earlier, ['b']);
  expect(titles(restored)).toEqual(['C now', 'B', 'D now']);
  const letterhead = earlier.masters.find(({ id }) => id === 'letterhead');
  expect(restored.masters).toEqual([...current.masters, letterhead]);
  expect(withRestored(restored, earlier, ['b'])).toEqual(restored);
});

test('restoring without page ids restores the whole document', () => {
  expect(withRestored(current, earlier, null)).toEqual(earlier);
});

test('a restored document keeps the current version number, and a page that the earlier version does not have is refused', () => {
  const rows = (document: DocumentContent, version: number) => jsonBytes([{ ...document, version }]);
  const input = { current: rows(current, 7), earlier: rows(earlier, 2) };
  expect(parseRestored({ ...input, pageIds: null })).toMatchObject({
    version: 7,
    cover: { title: 'Earlier' },
  });
  expect(() => parseRestored({ ...input, pageIds: ['d'] })).toThrow('names the page d');
});
