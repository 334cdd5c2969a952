import { describe, expect, test } from 'vitest';
import {
  isNarrowed,
  materialsHref,
  parseMaterialAddress,
  searchKey,
  startAddress,
} from '@/components/materials/material-address';
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
    const address = { ...full, categories: [...full.categories] };
    const href = materialsHref(address);
    expect(parseMaterialAddress(new URL(href, 'http://x').searchParams)).toEqual(address);
  });

  test('the URL omits default values', () => {
    expect(materialsHref({})).toBe('/materials');
    expect(materialsHref({ type: 'models', material: 'a' })).toBe('/materials?type=models&material=a');
  });

  test('invalid parameters are ignored, and the first of repeated ones counts', () => {
    const query = {
      q: ['  one ', 'two'],
      type: 'constructor',
      categories: ' Wood,,wood, ',
      color: 'ultraviolet',
      sort: '__proto__',
      material: '../x',
    };
    expect(parseMaterialAddress(query)).toEqual({ ...startAddress, q: 'one', categories: ['wood'] });
    expect(parseMaterialAddress({})).toEqual(startAddress);
  });

  test('the search request is valid even for an overlong URL', () => {
    const query = {
      q: '🪵'.repeat(300),
      categories: Array.from({ length: 30 }, (_, i) => `c${i}`).join(','),
    };
    const key = searchKey(parseMaterialAddress(query));
    expect(searchQuery.safeParse(Object.fromEntries(new URLSearchParams(key))).error).toBeUndefined();
  });

  test('the search key does not depend on the open material', () => {
    expect(searchKey({ ...startAddress, material: 'a' })).toBe(searchKey(startAddress));
    expect(searchKey({ ...startAddress, q: 'a' })).not.toBe(searchKey(startAddress));
  });

  test('isNarrowed is true for filters but not for type and sort order', () => {
    expect(isNarrowed({ ...startAddress, type: 'models', sort: 'name' })).toBe(false);
    expect(isNarrowed({ ...startAddress, color: 'red' })).toBe(true);
  });
});
