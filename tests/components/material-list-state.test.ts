import { describe, expect, test } from 'vitest';
import { type ColorsWait, nextColorsWait } from '@/components/materials/colors-wait';
import {
  emptyMaterialList,
  type MaterialListState,
  matchesElsewhere,
  matchNote,
  materialListReducer,
} from '@/components/materials/material-list-state';
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

function answerOf(ids: string[], change: Partial<SearchResponse> = {}): SearchResponse {
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

const idsOf = ({ items }: MaterialListState) => items.map(({ id }) => id);
const shown = (ids: string[], change: Partial<SearchResponse> = {}) =>
  materialListReducer(emptyMaterialList, { type: 'replaced', key: 'q=a', response: answerOf(ids, change) });

describe('materialListReducer', () => {
  test('pages are appended until the total is reached', () => {
    const first = shown(['a', 'b'], { total: 5 });
    expect(first.nextOffset).toBe(2);
    const second = materialListReducer(first, {
      type: 'extended',
      key: 'q=a',
      response: answerOf(['c', 'd'], { total: 5, offset: 2 }),
    });
    expect(second.nextOffset).toBe(4);
    const third = materialListReducer(second, {
      type: 'extended',
      key: 'q=a',
      response: answerOf(['e'], { total: 5, offset: 4 }),
    });
    expect(idsOf(third)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(third.nextOffset).toBeNull();
  });

  test('the list ends at an empty page or at the largest offset, regardless of the total', () => {
    const first = shown(['a', 'b'], { total: 50_000 });
    const empty = materialListReducer(first, {
      type: 'extended',
      key: 'q=a',
      response: answerOf([], { total: 50_000, offset: 2 }),
    });
    expect(empty.nextOffset).toBeNull();
    expect(shown(['a'], { total: 50_000, offset: 10_000 }).nextOffset).toBeNull();
  });

  test('a material appears once even if the library changed between two pages', () => {
    const next = materialListReducer(shown(['a', 'b'], { total: 4 }), {
      type: 'extended',
      key: 'q=a',
      response: answerOf(['b', 'c'], { total: 5, offset: 2, stale: true }),
    });
    expect(idsOf(next)).toEqual(['a', 'b', 'c']);
    expect(next.response).toMatchObject({ total: 5, stale: true });
    expect(next.nextOffset).toBe(4);
  });

  test('a response to another search and a page out of order are ignored', () => {
    const state = shown(['a', 'b'], { total: 6 });
    const page = answerOf(['c', 'd'], { total: 6, offset: 2 });
    expect(materialListReducer(state, { type: 'extended', key: 'q=b', response: page })).toBe(state);
    const late = answerOf(['e', 'f'], { total: 6, offset: 4 });
    expect(materialListReducer(state, { type: 'extended', key: 'q=a', response: late })).toBe(state);
    expect(materialListReducer(state, { type: 'counted', key: 'q=b', response: page })).toBe(state);
  });

  test('new counts replace the old ones without changing the materials', () => {
    const state = shown(['a', 'b'], { total: 4 });
    const facets = { categories: { wood: 3 }, colors: { brown: 2 }, colors_unknown: 0 };
    const next = materialListReducer(state, {
      type: 'counted',
      key: 'q=a',
      response: answerOf(['z'], { facets }),
    });
    expect(next.response?.facets).toEqual(facets);
    expect(idsOf(next)).toEqual(['a', 'b']);
    expect(next.response?.total).toBe(4);
  });

  test('the announcement gives the number of results and mentions near matches', () => {
    expect(shown([]).announcement?.text).toBe('No matches.');
    expect(shown(['a']).announcement?.text).toBe('1 material found.');
    const fuzzy = shown(['a', 'b'], { query: 'marbel', match: 'fuzzy' });
    expect(fuzzy.announcement?.text).toBe(
      '2 materials found. No exact match for “marbel”. Showing similar results.',
    );
    expect(matchNote(answerOf(['a'], { query: 'oak moon', match: 'any' }))).toContain('partial matches');
    expect(matchNote(answerOf(['a'], { query: 'oak', match: 'exact' }))).toBeNull();
    expect(matchNote(answerOf([], { query: 'x', match: 'any' }))).toBeNull();
  });
});

test('the interval between color updates grows while nothing changes', () => {
  const waits: number[] = [];
  let wait: ColorsWait | null = null;
  const asked = (key: string, unknown: number) => {
    wait = nextColorsWait(wait, { key, unknown });
    waits.push(wait.ms);
  };
  for (let i = 0; i < 7; i += 1) asked('q=oak', 40);
  expect(waits).toEqual([3_000, 6_000, 12_000, 24_000, 48_000, 60_000, 60_000]);
  asked('q=oak', 12);
  asked('q=oak', 12);
  asked('q=ash', 12);
  expect(waits.slice(7)).toEqual([3_000, 6_000, 3_000]);
});

test('the way across names the other types that have something for the words', () => {
  const elsewhere = (change: Partial<SearchResponse>) => matchesElsewhere(answerOf([], change));
  expect(elsewhere({ totals: { textures: 0, hdris: 221, models: 3 } })).toEqual([
    { type: 'hdris', count: 221 },
    { type: 'models', count: 3 },
  ]);
  expect(elsewhere({ type: 'hdris', totals: { textures: 0, hdris: 221, models: null } })).toEqual([]);
  expect(elsewhere({})).toEqual([]);
});
