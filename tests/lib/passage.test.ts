import { expect, test } from 'vitest';
import { hasWords, passageOf } from '@/lib/specs/passage';

const marked = (text: string, q: string) => {
  const { passage, marks } = passageOf(text, q);
  return { passage, words: marks.map(({ start, end }) => passage.slice(start, end)) };
};

test.each<[string, string, string[]]>([
  ['Fire doors close.\nDoors are red.', 'door fire', ['Fire']],
  ['Fire doors close.\nDoors are red.', 'fire door', ['Fire', 'doors', 'Doors']],
  ['Die Überarbeitung, die U\u0308BERARBEITUNG', 'uberarb', ['Überarbeitung', 'U\u0308BERARBEITUNG']],
  ['Søndergaard & Straße', 'STRASSE sonder', ['Søndergaard', 'Straße']],
  ['spec-sheet_12.pdf', 'sheet 12', ['sheet', '12']],
  ['nothing here', 'curtains', []],
  ['nothing here', '%', []],
])('in %j, the search for %j marks %j', (text, q, words) => {
  expect(marked(text, q)).toEqual({ passage: text.replaceAll('\n', ' '), words });
});

test('the passage has as many different words as possible and starts and ends between words', () => {
  const filler = 'lorem ipsum dolor '.repeat(100);
  const text = `curtains ${filler}before curtains hang fire doors ${filler}fire`;
  const { passage, words } = marked(text, 'doors curtains fire');
  expect(words).toEqual(['curtains', 'fire', 'doors']);
  expect(passage).toMatch(/^… (ipsum|dolor|lorem) .* (ipsum|dolor|lorem) …$/);
  expect(passage.length).toBeLessThan(260);
});

test('a passage that would start inside the first word of the text starts before it', () => {
  const text = `Bulk spec 39 - page 1 - the floor of the lobby is in marmoleum. ${'lorem '.repeat(99)}`;
  expect(text.indexOf('marmoleum')).toBe(53);
  expect(passageOf(text, 'marmole').passage).toMatch(/^Bulk spec 39 /);
});

test('the passage of a page with very long words has a bounded length', () => {
  const { passage } = passageOf(`${'𝒳'.repeat(9_000)} fire ${'字'.repeat(9_000)}`, 'fire');
  expect(passage.length).toBeLessThan(260);
  expect(passage).toContain('fire');
  expect(passage.isWellFormed()).toBe(true);
});

test('a search has words if it has a letter or a digit', () => {
  expect(['a', '7', 'ü', '字', '½', ' % a'].filter((q) => !hasWords(q))).toEqual([]);
  expect(['', ' ', '%', '\\', '–', '…'].filter(hasWords)).toEqual([]);
});
