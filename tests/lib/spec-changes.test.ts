import { describe, expect, test } from 'vitest';
import { compareText } from '@/lib/specs/changes/compare-text';
import { pairPages, pairSections } from '@/lib/specs/changes/pair-parts';
import { changesBetween } from '@/lib/specs/changes/spec-changes';
import { pageParts, type SpecPart, sectionParts } from '@/lib/specs/changes/spec-parts';

const section = (title: string, page: number | null, level = 1, text: string | null = null) => {
  return { title, page, level, text };
};
const texts = (parts: SpecPart[]) => parts.map(({ title, text }) => [title, text]);

describe('the parts of a spec', () => {
  test('a section has the text from its title to the next one, even on the same page or across pages', () => {
    const pages = [
      { page: 1, text: 'Nordlys\nBrand standard' },
      { page: 2, text: '1 Walls\nOak panels.\n2 FLOORS\nStone,' },
      { page: 3, text: 'honed.' },
      { page: 4, text: 'Light is warm.' },
    ];
    const sections = [
      section('1 Walls', 2),
      section('2 Floors', 2),
      section('3 Light', 4),
      section('Lost', 9),
    ];
    expect(texts(sectionParts(sections, pages))).toEqual([
      [null, 'Nordlys Brand standard'],
      ['1 Walls', 'Oak panels.'],
      ['2 Floors', 'Stone, honed.'],
      ['3 Light', 'Light is warm.'],
      ['Lost', ''],
    ]);
  });

  test('sections that are out of order or have the same title on a page share the text without overlaps', () => {
    const pages = [
      { page: 1, text: 'General a. General b.' },
      { page: 2, text: 'Doors c.' },
    ];
    const sections = [section('Doors', 2), section('General', 1), section('General', 1)];
    expect(texts(sectionParts(sections, pages))).toEqual([
      ['Doors', 'c.'],
      ['General', 'a.'],
      ['General', 'b.'],
    ]);
  });

  test('section titles at the top of most pages are not headers, and a section whose title is not found has the text there', () => {
    const sections = [
      section('Part 1', 1),
      section('Missing', 1, 2),
      section('Part 2', 2),
      section('Part 3', 3),
    ];
    const pages = [1, 2, 3].map((page) => ({ page, text: `Part ${page}\nText ${'abc'[page - 1]}.` }));
    const expected = [
      ['Part 1', ''],
      ['Missing', 'Text a.'],
      ['Part 2', 'Text b.'],
    ];
    expect(texts(sectionParts(sections, pages))).toEqual([...expected, ['Part 3', 'Text c.']]);
    expect(texts(sectionParts(sections.slice(0, 3), pages.slice(0, 2)))).toEqual(expected);
  });

  test('a section that was reported with a text keeps that text', () => {
    const sections = [section('Walls', 1, 1, ' Oak\n panels. '), section('Floors', null)];
    expect(texts(sectionParts(sections, [{ page: 1, text: 'Walls and more' }]))).toEqual([
      ['Walls', 'Oak panels.'],
      ['Floors', ''],
    ]);
  });

  test('sections that have no text and are not found are not compared if the spec has text', () => {
    const sections = [section('1 Walls', null), section('2 Lost', 9)];
    expect(sectionParts(sections, [{ page: 1, text: 'Oak panels.' }])).toEqual([]);
    expect(texts(sectionParts(sections, []))).toEqual([
      ['1 Walls', ''],
      ['2 Lost', ''],
    ]);
  });

  test('headers and footers that most pages share are left out, even if they contain page numbers', () => {
    const pages = [1, 2, 3].map((page) => {
      return { page, text: `Nordlys 2026\nText of ${['a', 'b', 'c'][page - 1]}\nPage ${page} of 3` };
    });
    expect(pageParts(pages).map(({ text }) => text)).toEqual(['Text of a', 'Text of b', 'Text of c']);
  });
});

const part = (title: string | null, text = '', level = 1): SpecPart => ({ title, page: 1, level, text });
const shown = (pairs: ReturnType<typeof pairSections>) =>
  pairs.map((pair) => {
    if (pair.before === null) return `+${pair.after.title}`;
    if (pair.after === null) return `-${pair.before.title}`;
    return `${pair.before.title}${pair.before.title === pair.after.title ? '' : `>${pair.after.title}`}${pair.isMoved ? ' moved' : ''}`;
  });

describe('the sections of two versions', () => {
  test('sections are paired by title regardless of their number, and added and removed ones keep their positions', () => {
    const before = ['1 Walls', '2 Floors', '3 Light'].map((title) => part(title));
    const after = ['1 Walls', '2 Doors', '3 Light', '4 Art'].map((title) => part(title));
    expect(shown(pairSections(before, after))).toEqual([
      '1 Walls',
      '-2 Floors',
      '+2 Doors',
      '3 Light',
      '+4 Art',
    ]);
  });

  test('a section that changes its position counts as moved, and the sections around it do not', () => {
    const before = ['A', 'B', 'C', 'D'].map((title) => part(title));
    const after = ['D', 'A', 'B', 'C'].map((title) => part(title));
    expect(shown(pairSections(before, after))).toEqual(['D moved', 'A', 'B', 'C']);
  });

  test('sections with the same title are distinguished by the sections that contain them', () => {
    const before = [part('Lobby'), part('General', 'a', 2), part('Spa'), part('General', 'b', 2)];
    const after = [part('Spa'), part('General', 'b', 2), part('Lobby'), part('General', 'a', 2)];
    const same = pairSections(before, after).every((pair) => pair.before?.text === pair.after?.text);
    expect(same).toBe(true);
  });

  test('a section with a new title and the same text counts as renamed', () => {
    const pairs = pairSections([part('Walls', 'Oak.')], [part('Wall finishes', 'Oak.')]);
    expect(shown(pairs)).toEqual(['Walls>Wall finishes']);
    expect(shown(pairSections([part('A')], [part('B')]))).toEqual(['-A', '+B']);
  });

  test('an inserted page shifts the pages after it without changing them', () => {
    const pages = (...all: string[]) => all.map((text) => part(null, text));
    const pairs = pairPages(pages('a', 'b', 'c'), pages('a', 'new', 'b', 'c2'));
    expect(pairs.map(({ before, after }) => [before?.text, after?.text])).toEqual([
      ['a', 'a'],
      [undefined, 'new'],
      ['b', 'b'],
      ['c', 'c2'],
    ]);
  });
});

const marked = (before: string, after: string) =>
  compareText(before, after)
    ?.map(({ op, text }) => ({ same: text, added: `[+${text}]`, removed: `[-${text}]` })[op])
    .join('');

describe('the text of two versions', () => {
  test.each([
    ['The doors are 90 cm wide.', 'The doors are 100 cm wide.', 'The doors are [-90][+100] cm wide.'],
    ['Oak', 'Oak', 'Oak'],
    ['', 'Oak', '[+Oak]'],
    ['Use oak veneer here.', 'Use smoked walnut here.', 'Use [-oak veneer][+smoked walnut] here.'],
    ['стены белые', 'стены серые', 'стены [-белые][+серые]'],
    ['白い壁です', '白い床です', '白い[-壁][+床]です'],
    ['A4用紙を使用', 'A4用紙を利用', 'A4用紙を[-使][+利]用'],
    ['データ', 'データー', 'データ[+ー]'],
  ])('%o and %o differ as %o', (before, after, expected) => {
    expect(marked(before, after)).toBe(expected);
  });

  test('a long unchanged passage is shortened, and the changes around it are kept', () => {
    const passage = 'Same words here. '.repeat(100);
    const result = marked(`a ${passage}b`, `x ${passage}y`) ?? '';
    expect(result.length).toBeLessThan(320);
    expect(result).toMatch(/^\[-a\]\[\+x\].* … .*\[-b\]\[\+y\]$/);
  });

  test('texts with too many different words are compared by sentence, and texts with too many different sentences are not', () => {
    const sentences = (word: string, count: number) =>
      Array.from({ length: count }, (_, n) => `Rule ${word}${n} ${word.repeat(n % 7)} is one.`).join(' ');
    const common = 'This rule stays as it is.';
    const pieces = compareText(`${sentences('a', 120)} ${common}`, `${sentences('b', 120)} ${common}`);
    expect(pieces?.map(({ op }) => op)).toEqual(['removed', 'added', 'same']);
    expect(compareText(sentences('a', 400), sentences('b', 400))).toBeNull();
  });
});

describe('the changes between two versions', () => {
  const read = (sections: SpecPart[], pages: SpecPart[], isReading = false) => ({
    sections,
    pages,
    isReading,
  });
  const pages = [part(null, 'Oak.')];

  test('nothing is compared while the text of a version is being read, even if some pages are stored', async () => {
    const state = async (isReading: boolean) =>
      (await changesBetween(read([], pages), read([], pages, isReading))).state;
    expect([await state(true), await state(false)]).toEqual(['reading', 'ready']);
    expect((await changesBetween(read([], []), read([], pages))).state).toBe('no_text');
  });

  test('pages are compared if a version has no sections, and only 300 changes are listed', async () => {
    const mixed = await changesBetween(read([], pages), read([part('Walls', 'Oak.')], pages));
    expect(mixed).toMatchObject({ basis: 'pages', counts: { unchanged: 1, added: 0 } });
    const sections = Array.from({ length: 310 }, (_, n) => part(`Title ${n} x`, `Text ${n}.`));
    const many = await changesBetween(read([part('Walls', 'Oak.')], pages), read(sections, pages));
    expect([many.changes.length, many.more, many.counts.added]).toEqual([300, 11, 310]);
  });
});
