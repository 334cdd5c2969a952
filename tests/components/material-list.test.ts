import { describe, expect, test } from 'vitest';
import {
  categoryCounts,
  matchesElsewhere,
  matchNote,
  materialListOf,
  nextOffsetOf,
  typeCounts,
} from '@/components/materials/material-list';
import { nextCounts } from '@/components/materials/use-live-counts';
import { type SearchItem, type SearchResponse, searchResponse } from '@/lib/matlib/schema';

const itemOf = (id: string): SearchItem => ({
  id,
  type: 'textures',
  name: id.toUpperCase(),
  tags: [],
  categories: ['wood'],
  thumbnail_url: `https://cdn.example/${id}.png`,
  download_count: 1,
  downloads_per_day: 1,
  published_at: '2026-01-01T00:00:00.000Z',
  description: '',
  authors: [],
  max_resolution: null,
  dimensions_mm: null,
  color: null,
});

function responseOf(ids: string[], change: Partial<SearchResponse> = {}): SearchResponse {
  return searchResponse.parse({
    query: '',
    type: 'textures',
    categories: [],
    color: null,
    sort: 'downloads',
    total: ids.length,
    limit: 2,
    offset: 0,
    results: ids.map(itemOf),
    source: { name: 'Library', url: null, license: 'CC0-1.0', credit: 'Made up' },
    fetched_at: '2026-01-01T00:00:00.000Z',
    ...change,
  });
}

const listOf = (...pages: SearchResponse[]) => materialListOf('q=a', pages, undefined);

describe('materialListOf', () => {
  test('pages are appended until the total is reached', () => {
    const pages = [
      responseOf(['a', 'b'], { total: 5 }),
      responseOf(['c', 'd'], { total: 5, offset: 2 }),
      responseOf(['e'], { total: 5, offset: 4 }),
    ];
    expect(pages.map(nextOffsetOf)).toEqual([2, 4, null]);
    const list = listOf(...pages);
    expect(list.items.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(list.nextOffset).toBeNull();
  });

  test('the list ends at an empty page or at the largest offset, regardless of the total', () => {
    expect(nextOffsetOf(responseOf([], { total: 50_000, offset: 2 }))).toBeNull();
    expect(nextOffsetOf(responseOf(['a'], { total: 50_000, offset: 10_000 }))).toBeNull();
  });

  test('a material appears once even if the library changed between two pages', () => {
    const list = listOf(
      responseOf(['a', 'b'], { total: 4 }),
      responseOf(['b', 'c'], { total: 5, offset: 2, stale: true }),
    );
    expect(list.items.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(list.response).toMatchObject({ total: 5, stale: true });
    expect(list.nextOffset).toBe(4);
    expect(list.announcement).toBe('1 more material shown.');
  });

  test('the latest counts replace those of the first page', () => {
    const old = { categories: { wood: 3 }, colors: {}, colors_unknown: 2 };
    const facets = { categories: { wood: 3 }, colors: { brown: 2 }, colors_unknown: 0 };
    const list = materialListOf('q=a', [responseOf(['a'], { facets: old })], facets);
    expect(list.response?.facets).toEqual(facets);
  });

  test('the announcement gives the number of results and mentions near matches', () => {
    expect(listOf(responseOf([])).announcement).toBe('No matches.');
    expect(listOf(responseOf(['a'])).announcement).toBe('1 material found.');
    const fuzzy = listOf(responseOf(['a', 'b'], { query: 'marbel', match: 'fuzzy' }));
    expect(fuzzy.announcement).toBe(
      '2 materials found. No exact match for “marbel”. Showing similar results.',
    );
    expect(matchNote(responseOf(['a'], { query: 'oak moon', match: 'any' }))).toContain('partial matches');
    expect(matchNote(responseOf(['a'], { query: 'oak', match: 'exact' }))).toBeNull();
    expect(matchNote(responseOf([], { query: 'x', match: 'any' }))).toBeNull();
  });
});

test('the interval between color updates grows while nothing changes', () => {
  const waits: number[] = [];
  let counts: ReturnType<typeof nextCounts> | undefined;
  for (const colors_unknown of [40, 40, 40, 40, 40, 40, 40, 12, 12]) {
    counts = nextCounts(counts, { categories: {}, colors: {}, colors_unknown });
    waits.push(counts.waitMs);
  }
  expect(waits).toEqual([3_000, 6_000, 12_000, 24_000, 48_000, 60_000, 60_000, 3_000, 6_000]);
});

test('the other types with matches are listed, and are announced when the current type has none', () => {
  const elsewhere = (change: Partial<SearchResponse>) => matchesElsewhere(responseOf([], change));
  expect(elsewhere({ totals: { textures: 0, hdris: 221, models: 3 } })).toEqual([
    { type: 'hdris', count: 221 },
    { type: 'models', count: 3 },
  ]);
  expect(elsewhere({ type: 'hdris', totals: { textures: 0, hdris: 221, models: null } })).toEqual([]);
  expect(elsewhere({})).toEqual([]);
  const none = responseOf([], { query: 'sunset', totals: { textures: 0, hdris: 221, models: 1 } });
  expect(listOf(none).announcement).toBe('No textures match, but 221 HDRIs and 1 model.');
});

test('the most frequent categories come first, even if a name is a number', () => {
  const categories = { seating: 2, props: 1, 1950: 1 };
  expect(categoryCounts({ categories, colors: {}, colors_unknown: 0 })).toEqual([
    ['seating', 2],
    ['1950', 1],
    ['props', 1],
  ]);
  expect(categoryCounts(undefined)).toEqual([]);
});

test('each type has its number of matches, and only the current type has its categories', () => {
  const counts = (change: Partial<SearchResponse>) => typeCounts(responseOf(['a'], change));
  expect(counts({ totals: { textures: 44, hdris: 221, models: 0 } })).toEqual({
    textures: 1,
    hdris: 221,
    models: 0,
  });
  expect(counts({ totals: { textures: 44, hdris: null, models: 0 } })).toEqual({ textures: 1, models: 0 });
  expect(counts({})).toEqual({});
});
