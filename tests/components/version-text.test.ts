import { expect, test } from 'vitest';
import { describeChanges, versionsByDay } from '@/components/editor/history/version-text';

const none = { added: 0, removed: 0, changed: 0, settings: false };

test.each([
  [null, '3 pages'],
  [none, 'No changes'],
  [{ ...none, changed: 1 }, '1 page changed'],
  [{ ...none, changed: 2, added: 1, settings: true }, '2 pages changed, 1 added, settings changed'],
  [{ ...none, removed: 1 }, '1 page removed'],
  [{ ...none, settings: true }, 'Cover or settings changed'],
])('the changes %j of a version are described as "%s"', (changes, text) => {
  expect(describeChanges({ changes, pageCount: 3 })).toBe(text);
});

test('versions are grouped by the day on which they were saved', () => {
  const version = (id: string, at: Date) => ({
    id,
    version: 1,
    name: null,
    printed: false,
    savedBy: null,
    createdAt: at.toISOString(),
    pageCount: 0,
    changes: null,
  });
  const days = versionsByDay([
    version('late', new Date(2026, 10, 21, 23, 59)),
    version('early', new Date(2026, 10, 21, 0, 1)),
    version('before', new Date(2026, 10, 20, 23, 59)),
  ]);
  expect(days.map(({ day, versions }) => [day, versions.map(({ id }) => id)])).toEqual([
    ['Saturday, November 21, 2026', ['late', 'early']],
    ['Friday, November 20, 2026', ['before']],
  ]);
});
