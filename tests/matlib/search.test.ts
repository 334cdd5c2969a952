import { beforeAll, describe, expect, test } from 'vitest';
import { type SearchItem, searchQuery } from '@/lib/matlib/schema';
import { countCategories } from '@/lib/matlib/search/count';
import { editDistance } from '@/lib/matlib/search/near-words';
import { searchItems } from '@/lib/matlib/search/search-items';
import { createTextIndex, type TextIndex } from '@/lib/matlib/search/text-index';

const now = Date.UTC(2026, 0, 1);

type Facts = { tags?: string[]; categories?: string[]; downloads?: number; daysOld?: number; color?: string };

function item(
  id: string,
  { tags = [], categories = [], downloads = 100, daysOld = 100, color }: Facts = {},
): SearchItem {
  return {
    id,
    type: 'textures',
    name: id.replaceAll('_', ' '),
    tags,
    categories,
    thumbnail_url: `https://cdn.example.test/${id}.png`,
    download_count: downloads,
    downloads_per_day: downloads / daysOld,
    published_at: new Date(now - daysOld * 86_400_000).toISOString(),
    description: '',
    authors: [],
    max_resolution: null,
    dimensions_mm: null,
    color: color ?? null,
  };
}

const shelf = [
  item('rusty_metal', {
    tags: ['rust', 'steel'],
    categories: ['metal', 'outdoor'],
    downloads: 9_000,
    color: '#8f4d2a',
  }),
  item('rusty_metal_02', { tags: ['rust'], categories: ['metal'], downloads: 90_000, color: '#a4592c' }),
  item('blue_metal_plate', { tags: ['painted'], categories: ['metal', 'clean'], color: '#3d6bb3' }),
  item('marble_01', { tags: ['stone', 'polished'], categories: ['marble', 'floor'], color: '#e6e5e1' }),
  item('black_marble', {
    tags: ['stone'],
    categories: ['marble', 'wall'],
    downloads: 50_000,
    color: '#222225',
  }),
  item('concrete_wall_004', { tags: ['wall'], categories: ['concrete', 'wall'], color: '#8b8c8d' }),
  item('asphalt_02', { tags: ['road'], categories: ['asphalt', 'floor'], daysOld: 0.5, color: '#3d3d3f' }),
  item('brown_leather', { tags: ['upholstery'], categories: ['leather'], color: '#5e3a27' }),
  item('wood_floor', { tags: ['planks'], categories: ['wood', 'floor'], downloads: 5_000, color: '#b98f5e' }),
  item('old_wood_floor', { tags: ['worn'], categories: ['wood', 'floor', 'dirty'], downloads: 700_000 }),
  item('wood_table', { tags: ['floor lamp'], categories: ['wood'], downloads: 20 }),
  item('café_tiles', { tags: ['tiles'], categories: ['floor'], daysOld: 1 }),
];
let index: TextIndex;
beforeAll(async () => {
  index = await createTextIndex(shelf);
});

const items = new Map(shelf.map((one) => [one.id, one]));
const search = (params: Record<string, string>) =>
  searchItems({ items, index }, searchQuery.parse(params), now);
const ids = (params: Record<string, string>) => search(params).results.map(({ id }) => id);

describe('search terms', () => {
  test.each([
    ['rusty metal', 'rusty_metal', 'exact'],
    ['RUSTY_METAL', 'rusty_metal', 'exact'],
    ['wood floor', 'wood_floor', 'exact'],
    ['floors of wood', 'wood_floor', 'exact'],
    ['rusty metal 02', 'rusty_metal_02', 'exact'],
    ['marbel', 'marble_01', 'fuzzy'],
    ['conrete', 'concrete_wall_004', 'fuzzy'],
    ['asphlat', 'asphalt_02', 'fuzzy'],
    ['lether', 'brown_leather', 'fuzzy'],
    ['upholstrey', 'brown_leather', 'fuzzy'],
    ['wodo florr', 'wood_floor', 'fuzzy'],
    ['tarmac', 'asphalt_02', 'exact'],
    ['cement wall', 'concrete_wall_004', 'exact'],
    ['couch', 'brown_leather', 'exact'],
    ['laminated', 'wood_floor', 'exact'],
    ['lea', 'brown_leather', 'exact'],
    ['cafe', 'café_tiles', 'exact'],
    ['CAFÉ', 'café_tiles', 'exact'],
    ['blue marble floor xylophone', 'marble_01', 'any'],
  ] as const)('the search %j finds %s first (%s)', (q, first, match) => {
    const response = search({ q });
    expect(response.results[0]?.id).toBe(first);
    expect(response.match).toBe(match);
  });

  test('items with all words come before items with some of them', () => {
    expect(ids({ q: 'wood floor' }).slice(0, 3)).toEqual(['wood_floor', 'old_wood_floor', 'wood_table']);
    expect(ids({ q: 'black leather' })[0]).toBe('brown_leather');
    expect(ids({ q: 'marble wall' }).slice(0, 2)).toEqual(['black_marble', 'marble_01']);
  });

  test('a color word finds items by their measured color when no text has the word', () => {
    expect(ids({ q: 'white' })[0]).toBe('marble_01');
    expect(ids({ q: 'navy metal' })[0]).toBe('blue_metal_plate');
    expect(ids({ q: 'dark metal' })[0]).toBe('rusty_metal');
  });

  test.each([
    ['Marmorboden', 'marble_01'],
    ['Betonwand', 'concrete_wall_004'],
    ['schwarzer Marmor', 'black_marble'],
    ['Holzfußböden', 'wood_floor'],
    ['cuir', 'brown_leather'],
    ['marbre noir', 'black_marble'],
    ['tôle rouillée', 'rusty_metal_02'],
    ['woodfloor', 'wood_floor'],
    ['as phalt', 'asphalt_02'],
    ['tiled', 'café_tiles'],
  ])('the search %j finds %s first', (q, first) => {
    expect(ids({ q })[0]).toBe(first);
  });

  test.each(['zzzz', '???', '🪵', '%', "'; --", '\\'])('the search %j finds nothing', (q) => {
    expect(search({ q })).toMatchObject({ total: 0, results: [] });
  });

  test.each(['xyzzy', 'plugh', 'xyzzy plugh', 'qwerty asdf', 'lorem ipsum dolor', 'xyzzy marbel'])(
    'the nonsense search %j finds nothing',
    (q) => {
      expect(search({ q })).toMatchObject({ total: 0, results: [] });
    },
  );

  test('an item whose id is the query comes first, and does not hide items that match without it', async () => {
    const others = Array.from({ length: 20 }, (_, i) =>
      item(`sample_${i}`, { categories: ['marble', 'floor'] }),
    );
    const named = { ...item('marble_floor', { tags: ['marble'] }), name: 'Piazza' };
    const found = (await createTextIndex([named, ...others])).find('marble floor').ids;
    expect(found[0]).toBe('marble_floor');
    expect(found).toHaveLength(21);
    expect((await createTextIndex(others)).find('marble floor').ids).toHaveLength(20);
  });

  test('a search does not depend on the order and case of its words', () => {
    expect(ids({ q: '  Floor   WOOD ' }).sort()).toEqual(ids({ q: 'wood floor' }).sort());
  });
});

test.each([
  ['marbel', 'marble', 1],
  ['marbel', 'barrel', 2],
  ['terazo', 'terrazzo', 2],
  ['plugh', 'rough', 2],
  ['same', 'same', 0],
  ['abcd', 'badc', 2],
])('the edit distance of %s and %s is %i', (a, b, typos) => {
  expect(editDistance(a, b, 5)).toBe(typos);
  expect(editDistance(b, a, 5)).toBe(typos);
  expect(editDistance(a, b, 1)).toBe(Math.min(typos, 2));
});

describe('filters', () => {
  test('categories intersect, regardless of their case', () => {
    expect(ids({ categories: 'Wood, FLOOR' })).toEqual(['old_wood_floor', 'wood_floor']);
    expect(ids({ categories: 'wood,marble' })).toEqual([]);
    expect(ids({ categories: 'constructor' })).toEqual([]);
  });

  test('removing a category restores the previous order', () => {
    const plain = ids({ q: 'metal' });
    ids({ q: 'metal', categories: 'clean' });
    expect(ids({ q: 'metal', categories: '' })).toEqual(plain);
    expect(ids({ q: 'metal', categories: ' , ' })).toEqual(plain);
  });

  test('a filter with no matches does not make the search match fewer words', () => {
    expect(search({ q: 'marble', categories: 'wood' })).toMatchObject({ total: 0, match: 'exact' });
  });

  test('a color filter finds the items of that color, and never an item without a color', () => {
    expect(ids({ color: 'white' })).toEqual(['marble_01']);
    expect(ids({ color: 'blue', q: 'metal' })).toEqual(['blue_metal_plate']);
    const browns = ids({ color: 'brown' });
    expect(browns).toContain('brown_leather');
    expect(browns).not.toContain('old_wood_floor');
  });

  test('facets leave out the selected category, and count every color regardless of the selected one', () => {
    const { facets } = search({ categories: 'floor', facets: '1' });
    expect(facets?.categories).toEqual({ wood: 2, asphalt: 1, dirty: 1, marble: 1 });
    expect(Object.keys(facets?.categories ?? {})[0]).toBe('wood');
    expect(facets).toMatchObject({ colors: { white: 1 }, colors_unknown: 2 });
    const chosen = search({ categories: 'floor', color: 'white', facets: '1' });
    expect(chosen.total).toBe(1);
    expect(chosen.facets?.categories).toEqual({ marble: 1 });
    expect(chosen.facets?.colors).toEqual(facets?.colors);
    expect(search({}).facets).toBeUndefined();
  });
});

test('categories are sorted by their counts, even if a name is a number', () => {
  const chairs = [
    item('a_chair', { categories: ['seating', '1950'] }),
    item('b_chair', { categories: ['seating', 'props'] }),
  ];
  expect(countCategories(chairs, [])).toEqual([
    ['seating', 2],
    ['1950', 1],
    ['props', 1],
  ]);
});

describe('order and pages', () => {
  test('without words the most downloaded come first, with words the best matches, unless a sort is given', () => {
    expect(search({ limit: '1' })).toMatchObject({ sort: 'downloads', results: [{ id: 'old_wood_floor' }] });
    expect(search({ sort: 'relevance' }).sort).toBe('downloads');
    expect(search({ q: 'wood floor' })).toMatchObject({
      sort: 'relevance',
    });
    expect(ids({ q: 'wood floor' })[0]).toBe('wood_floor');
    expect(ids({ q: 'wood floor', sort: 'downloads' })[0]).toBe('old_wood_floor');
  });

  test('results can be sorted by newest, hot and name', () => {
    expect(ids({ sort: 'newest' }).slice(0, 2)).toEqual(['asphalt_02', 'café_tiles']);
    expect(ids({ sort: 'hot' })[0]).toBe('asphalt_02');
    expect(ids({ sort: 'name' }).slice(0, 2)).toEqual(['asphalt_02', 'black_marble']);
  });

  test.each(['downloads', 'newest', 'hot', 'name'])(
    'pages sorted by %s never overlap and leave nothing out',
    (sort) => {
      const whole = ids({ sort, limit: '100' });
      const paged = [0, 5, 10, 15].flatMap((offset) => ids({ sort, limit: '5', offset: String(offset) }));
      expect(paged).toEqual(whole);
      expect(new Set(whole).size).toBe(shelf.length);
    },
  );

  test('the total counts all matches, regardless of the page', () => {
    expect(search({ limit: '2', offset: '0' }).total).toBe(shelf.length);
    expect(search({ limit: '2', offset: '10000' })).toMatchObject({ total: shelf.length, results: [] });
    expect(search({ q: 'metal', limit: '1' })).toMatchObject({ total: 3, limit: 1 });
  });
});
