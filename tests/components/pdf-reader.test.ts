import { describe, expect, test } from 'vitest';
import { findWords, wordsOf } from '@/components/specs/reader/find-words';
import { pixelRatio, scaleOf, zoomStep } from '@/components/specs/reader/zoom';

describe('the search in a PDF', () => {
  const text = 'Fire doors\nclose by themselves. No fire-door is wedged: Überprüfung, Søndergaard.';
  const found = (q: string, match: 'phrase' | 'any' = 'phrase') =>
    findWords(wordsOf(text), q, match).map(({ start, end }) => text.slice(start, end));

  test.each([
    ['fire door', ['Fire doors', 'fire-door']],
    ['FIRE DOORS close', ['Fire doors\nclose']],
    ['uberpruf', ['Überprüfung']],
    ['sondergaard', ['Søndergaard']],
    ['oors', []],
    ['door fire', []],
    ['', []],
    ['%', []],
  ])('a search for %j finds its words in order, the last one as a prefix', (q, expected) => {
    expect(found(q)).toEqual(expected);
  });

  test('a search for any of the words finds each of them', () => {
    expect(found('wedged fire', 'any')).toEqual(['Fire', 'fire', 'wedged']);
  });
});

describe('the zoom of a PDF', () => {
  const page = { width: 600, height: 800 };

  test('a page is as wide as the reader, or wholly visible', () => {
    expect(scaleOf('width', page, { width: 624, height: 424 })).toBe(1);
    expect(scaleOf('page', page, { width: 624, height: 424 })).toBe(0.5);
    expect(scaleOf(2, page, { width: 624, height: 424 })).toBe(2);
  });

  test('a zoom step goes from any scale to the next step and stays within the limits', () => {
    expect([zoomStep(0.93, 1), zoomStep(0.93, -1), zoomStep(1, 1)]).toEqual([1, 0.75, 1.25]);
    expect([zoomStep(4, 1), zoomStep(0.1, -1)]).toEqual([4, 0.25]);
  });

  test('the canvas of a huge page has a bounded number of pixels', () => {
    expect(pixelRatio(page, 3)).toBe(2);
    const huge = { width: 20_000, height: 20_000 };
    expect((huge.width * pixelRatio(huge, 2)) ** 2).toBeLessThanOrEqual(16 * 1024 * 1024 + 1);
  });
});
