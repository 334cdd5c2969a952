import { describe, expect, test } from 'vitest';
import {
  initialMaterialUrl,
  isNarrowed,
  materialsHref,
  parseMaterialUrl,
  searchKey,
} from '@/components/materials/material-url';
import { searchQuery } from '@/lib/matlib/schema';

const full = {
  q: 'oak & 100% +x',
  type: 'hdris',
  categories: ['man made', 'wood'],
  color: 'teal',
  sort: 'newest',
  material: 'ArmChair_01',
} as const;

describe('material page URL', () => {
  test('the state of the material page round-trips through its URL', () => {
    const url = { ...full, categories: [...full.categories] };
    const href = materialsHref(url);
    expect(parseMaterialUrl(new URL(href, 'http://x').searchParams)).toEqual(url);
  });

  test('the URL omits default values', () => {
    expect(materialsHref({})).toBe('/materials');
    expect(materialsHref({ type: 'models', material: 'a' })).toBe('/materials?type=models&material=a');
  });

  test('invalid parameters are ignored, and the first of repeated ones counts', () => {
    const query = {
      q: ['  one ', 'two'],
      type: 'constructor',
      categories: ' Wood,,wood,a\nb, ',
      color: 'ultraviolet',
      sort: '__proto__',
      material: '../x',
    };
    expect(parseMaterialUrl(query)).toEqual({ ...initialMaterialUrl, q: 'one', categories: ['wood'] });
    expect(parseMaterialUrl({})).toEqual(initialMaterialUrl);
  });

  test('the search request is valid even for an overlong URL', () => {
    const query = {
      q: '🪵'.repeat(300),
      categories: Array.from({ length: 30 }, (_, i) => `c${i}`).join(','),
    };
    const key = searchKey(parseMaterialUrl(query));
    expect(searchQuery.safeParse(Object.fromEntries(new URLSearchParams(key))).error).toBeUndefined();
  });

  test('the search key does not depend on the open material', () => {
    expect(searchKey({ ...initialMaterialUrl, material: 'a' })).toBe(searchKey(initialMaterialUrl));
    expect(searchKey({ ...initialMaterialUrl, q: 'a' })).not.toBe(searchKey(initialMaterialUrl));
  });

  test('isNarrowed is true for filters but not for type and sort order', () => {
    expect(isNarrowed({ ...initialMaterialUrl, type: 'models', sort: 'name' })).toBe(false);
    expect(isNarrowed({ ...initialMaterialUrl, color: 'red' })).toBe(true);
  });
});
