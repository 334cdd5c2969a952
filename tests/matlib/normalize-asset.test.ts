import { expect, test } from 'vitest';
import { assetHosts } from '@/lib/env/asset-hosts';
import { normalizeAsset } from '@/lib/matlib/normalize-asset';
import { searchItem } from '@/lib/matlib/schema';

const context = {
  type: 'textures',
  hosts: assetHosts('cdn.example.test'),
  now: Date.UTC(2026, 0, 1),
} as const;
const raw = {
  name: 'Clean Asphalt Road 03',
  type: 1,
  date_published: Date.UTC(2025, 11, 22) / 1000,
  download_count: 965,
  files_hash: 'd8ce40eed26c52430ddea7b2a10d7477909cb0e7',
  authors: { 'Dee Fixture': 'All' },
  thumbnail_url:
    'https://cdn.example.test/asset_img/thumbs/x.png?width=256&height=256&format=webp&v=dee08333',
  description: 'Synthetic.',
  categories: ['asphalt', 'floor'],
  tags: ['clean', 'asphalt'],
  max_resolution: [8192, 8192],
  dimensions: [1800, 1800],
};
const normalize = (changes: object, id = 'x') => normalizeAsset(id, { ...raw, ...changes }, context);

test('normalizeAsset picks the fields of an asset', () => {
  expect(normalize({})).toEqual({
    filesHash: raw.files_hash,
    item: {
      id: 'x',
      type: 'textures',
      name: 'Clean Asphalt Road 03',
      tags: ['clean', 'asphalt'],
      categories: ['asphalt', 'floor'],
      thumbnail_url: raw.thumbnail_url,
      download_count: 965,
      downloads_per_day: 96.5,
      published_at: '2025-12-22T00:00:00.000Z',
      description: 'Synthetic.',
      authors: [{ name: 'Dee Fixture', credit: 'All' }],
      max_resolution: [8192, 8192],
      dimensions_mm: [1800, 1800],
      color: null,
    },
    detail: { collections: [], category_path: null, attributes: {}, notes: null },
  });
});

test.each([
  [
    'stray blanks and duplicates in tags',
    { tags: ['rough  ', ' rough', 'Rough', '', 7, null, 'costal'] },
    { tags: ['rough', 'costal'] },
  ],
  [
    'pseudo-categories',
    { categories: ['wood', 'collection: verdant', 'vault: a'] },
    { categories: ['wood'] },
  ],
  ['no categories', { categories: undefined }, { categories: [] }],
  ['null in place of a list', { categories: null, tags: null }, { categories: [], tags: [] }],
  [
    'credits in any spelling',
    { authors: { A: 'Processing ', B: 'Photography, processing', C: null } },
    {
      authors: [
        { name: 'A', credit: 'Processing' },
        { name: 'B', credit: 'Photography, processing' },
        { name: 'C', credit: '' },
      ],
    },
  ],
  [
    'dimensions that are not whole numbers',
    { dimensions: [1800.0000715255737, 20.46] },
    { dimensions_mm: [1800, 20.5] },
  ],
  ['invalid dimensions', { dimensions: ['2m', null] }, { dimensions_mm: null }],
  ['an unusual resolution', { max_resolution: [8042, 8037] }, { max_resolution: [8042, 8037] }],
  ['no resolution', { max_resolution: undefined }, { max_resolution: null }],
  [
    'letters of other languages',
    { description: '  façade – “Größe”, Ærø ' },
    { description: 'façade – “Größe”, Ærø' },
  ],
  ['an invalid download count', { download_count: '12' }, { download_count: 0, downloads_per_day: 0 }],
  ['a download count that is too large', { download_count: 1e300 }, { download_count: 0 }],
  [
    'a category and attributes in place of categories',
    {
      categories: undefined,
      category: 'Wood/Floor',
      attributes: { surface_use: 'either', origin: 'man_made', condition: ['worn', 'dirty'], aerial: false },
    },
    { categories: ['wood', 'floor', 'man made', 'worn', 'dirty'] },
  ],
  [
    'a category beside an empty list of categories',
    { categories: [], category: 'Wood/Floor' },
    { categories: [] },
  ],
])('normalizeAsset handles %s', (_, changes, expected) => {
  expect(normalize(changes)?.item).toMatchObject(expected);
});

test('a normalized asset conforms to the API schema, regardless of what its fields contain', () => {
  const odd = [null, -1, 0.5, 1e300, '', 'x', [], {}, [null], true, 'https://cdn.example.test/a b.png'];
  for (const field of Object.keys(raw)) {
    for (const value of odd) {
      const asset = normalize({ [field]: value });
      if (asset) searchItem.parse(asset.item);
    }
  }
});

test('internal fields that leaked into the list are dropped', () => {
  const asset = normalize({
    similarity: 7,
    social_post_pending: true,
    staging: 'x',
    old_id: 'y',
    prepaid: true,
  });
  expect(JSON.stringify(asset)).not.toMatch(/similarity|social|staging|old_id|prepaid/);
});

test.each([
  ['no name', { name: '  ' }],
  ['another type', { type: 0 }],
  ['an unknown type', { type: 9 }],
  ['an image URL without TLS', { thumbnail_url: 'http://cdn.example.test/x.png' }],
  ['an image URL of another host', { thumbnail_url: 'https://cdn.example.test.evil.test/x.png' }],
  ['an image URL with a password', { thumbnail_url: 'https://a:b@cdn.example.test/x.png' }],
  ['an image URL that is a script', { thumbnail_url: 'javascript:alert(1)' }],
])('an asset with %s is dropped', (_, changes) => {
  expect(normalize(changes)).toBeNull();
});

test.each(['', '__proto__ ', 'a/b', 'é', 'x'.repeat(51)])('an asset with the id %j is dropped', (id) => {
  expect(normalize({}, id)).toBeNull();
});

test.each([null, 7, 'x', []])('the asset %j is dropped', (value) => {
  expect(normalizeAsset('x', value, context)).toBeNull();
});

test('the details of an asset have its collections, path, attributes, notes, and the fields of its type', () => {
  expect(
    normalize({
      categories: ['wood', 'collection: verdant_trail'],
      category: 'Wood/Floor',
      info: ' Taken on a quiet morning. ',
      attributes: { condition: 'worn', origin: 'natural', nested: { a: 1 }, 'odd key!': 1 },
    })?.detail,
  ).toEqual({
    collections: ['verdant_trail'],
    category_path: 'Wood/Floor',
    attributes: { condition: ['worn'], origin: 'natural' },
    notes: 'Taken on a quiet morning.',
  });
  expect(normalize({ info: null, attributes: null })?.detail).toMatchObject({ notes: null, attributes: {} });
  const sky = { ...raw, type: 0, evs_cap: 23, whitebalance: null, coords: null, backplates: true };
  expect(normalizeAsset('x', sky, { ...context, type: 'hdris' })?.detail.hdri).toEqual({
    evs: 23,
    whitebalance_k: null,
    coords: null,
    has_backplates: true,
  });
  const chair = { ...raw, type: 2, polycount: 17_482, lods: true };
  expect(normalizeAsset('ArmChair_01', chair, { ...context, type: 'models' })?.detail.model).toEqual({
    polycount: 17_482,
    has_lods: true,
  });
});

test('an allowed loopback host may use plain http', () => {
  const hosts = assetHosts('127.0.0.1:54324, cdn.example.test');
  const local = { ...raw, thumbnail_url: 'http://127.0.0.1:54324/x.png' };
  expect(normalizeAsset('x', local, { ...context, hosts })?.item.thumbnail_url).toBe(local.thumbnail_url);
  expect(
    normalizeAsset('x', { ...raw, thumbnail_url: 'http://127.0.0.1:9/x' }, { ...context, hosts }),
  ).toBeNull();
});
