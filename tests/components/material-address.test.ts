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

describe('the address of the material page', () => {
  test('survives a round trip', () => {
    const address = { ...full, categories: [...full.categories] };
    const href = materialsHref(address);
    expect(parseMaterialAddress(new URL(href, 'http://x').searchParams)).toEqual(address);
  });

  test('is short where nothing is chosen', () => {
    expect(materialsHref({})).toBe('/materials');
    expect(materialsHref({ type: 'models', material: 'a' })).toBe('/materials?type=models&material=a');
  });

  test('takes what is not valid for absent, and the first of a repeated one', () => {
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

  test('never asks for what the server refuses', () => {
    const query = {
      q: '🪵'.repeat(300),
      categories: Array.from({ length: 30 }, (_, i) => `c${i}`).join(','),
    };
    const key = searchKey(parseMaterialAddress(query));
    expect(searchQuery.safeParse(Object.fromEntries(new URLSearchParams(key))).error).toBeUndefined();
  });

  test('is the same search whichever material is looked at', () => {
    expect(searchKey({ ...startAddress, material: 'a' })).toBe(searchKey(startAddress));
    expect(searchKey({ ...startAddress, q: 'a' })).not.toBe(searchKey(startAddress));
  });

  test('knows whether there is something to clear', () => {
    expect(isNarrowed({ ...startAddress, type: 'models', sort: 'name' })).toBe(false);
    expect(isNarrowed({ ...startAddress, color: 'red' })).toBe(true);
  });
});
