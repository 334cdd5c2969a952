import { expect, test } from 'vitest';
import { withPageTexts } from '@/lib/specs/standards/section-texts';

const section = (title: string, page: number | null, text: string | null = null) => {
  return { title, page, level: 1, text };
};
const stored = [
  section('1 Doors', 1),
  section('2 Floors', 2),
  section('3 Walls', null),
  section('4 Light', 3, 'Warm.'),
];
const numbered = stored.map((each, n) => ({ ...each, number: n + 1 }));
const pages = [
  { page: 1, text: 'Handbook\n1 Doors\n100 cm wide,\nof oak.' },
  { page: 2, text: '2 Floors\n' },
  { page: 3, text: '4 Light\nCold.' },
];

test('a section without a text has the text from its title to the next section, and a reported text is kept', () => {
  expect(withPageTexts(numbered, stored, pages).map(({ text }) => text)).toEqual([
    '100 cm wide, of oak.',
    null,
    null,
    'Warm.',
  ]);
});

test('the sections of a later part of the list have their own texts', () => {
  const light = withPageTexts(
    [{ ...section('4 Light', 3), number: 4 }],
    [...stored.slice(0, 3), section('4 Light', 3)],
    pages,
  );
  expect(light).toEqual([{ ...section('4 Light', 3, 'Cold.'), number: 4 }]);
});

test('a long text of the pages is cut at a whole character to the length of a reported text', () => {
  const long = [{ page: 1, text: `1 Doors ${'😀'.repeat(30_000)}` }];
  const [doors] = withPageTexts(numbered.slice(0, 1), stored.slice(0, 1), long);
  expect(doors?.text).toBe('😀'.repeat(20_000));
});

test('a section that was corrected after it was read does not get the text of another section', () => {
  const corrected = [section('2 Floors', 2), section('1 Doors', 1)];
  expect(withPageTexts(numbered.slice(0, 1), corrected, pages)[0]?.text).toBeNull();
});

test('a PDF without text adds none', () => {
  expect(withPageTexts(numbered.slice(0, 2), stored, []).map(({ text }) => text)).toEqual([null, null]);
});
