import { describe, expect, test } from 'vitest';
import { imagesOfPicks, pickOfImage, pickOfVariant } from '@/components/editor/pickers/image-pick';
import { materialOf } from '@/components/editor/pickers/material-pick';
import { togglePick } from '@/components/editor/pickers/pick-list';
import { imageElement, materialElement } from '@/lib/document/page-model';
import type { InfoResponse } from '@/lib/matlib/schema';

const frame = { id: 'e', x: 0, y: 0, w: 10, h: 10 };
const id = 'B0000000-0000-4000-8000-000000000001';

test('an upload is picked by id and a variant by path, and the page model accepts both', () => {
  const upload = pickOfImage({
    id,
    path: 'images/projects/p/inputs/i.png',
    url: 'https://x.test/i',
    width: 30,
    height: 20,
    fileName: 'Lobby_view-2.final.PNG',
    createdAt: '',
  });
  const variant = pickOfVariant(
    {
      id: 'image-1',
      variant_id: 'v1',
      number: 1,
      path: 'images/projects/p/jobs/j/1/1-1',
      thumb_path: null,
      meta: null,
      url: null,
      thumb_url: null,
      width: 9,
      height: 9,
      run: 1,
      created_at: '',
      starred_at: null,
    },
    'A lobby\nat night '.repeat(60),
    'Image 1.1',
  );
  expect(upload).toMatchObject({ imageId: id, path: null, alt: '' });
  expect(variant).toMatchObject({ imageId: null, path: 'images/projects/p/jobs/j/1/1-1' });
  for (const { imageId, path, alt } of [upload, variant]) {
    expect(imageElement.safeParse({ ...frame, type: 'image', imageId, path, alt }).error).toBeUndefined();
  }
  // The variant has no URL and is left out. The keys are lowercase, because ids are case-insensitive.
  expect([...imagesOfPicks([upload, variant])]).toEqual([
    [id.toLowerCase(), { src: 'https://x.test/i', width: 30, height: 20 }],
  ]);
});

const info: InfoResponse = {
  id: 'oak_veneer',
  type: 'textures',
  name: 'Oak\nveneer',
  tags: [],
  categories: ['wood', 'veneer', 'floor', 'wall', 'clean'],
  thumbnail_url: 'https://cdn.test/oak.png',
  download_count: 1,
  downloads_per_day: 1,
  published_at: '2026-01-01T00:00:00.000Z',
  description: '',
  authors: [{ name: 'Ada', credit: 'All' }],
  max_resolution: null,
  dimensions_mm: [1500, 1005],
  color: '#b98d5b',
  collections: [],
  category_path: null,
  attributes: {},
  notes: null,
  available: { page_url: null, license: 'CC0-1.0' },
  source: { name: 'Library', url: null, license: 'CC0-1.0', credit: 'Library' },
  fetched_at: '2026-01-01T00:00:00.000Z',
};

describe('materialOf', () => {
  test('a material includes its name, color, facts and image', () => {
    const material = materialOf(info, { id });
    expect(material).toEqual({
      materialId: 'oak_veneer',
      title: 'Oak veneer',
      swatch: '#b98d5b',
      imageId: id,
      path: null,
      rows: [
        { label: 'Category', value: 'wood, veneer, floor, wall' },
        { label: 'Real size', value: '150 × 100.5 cm' },
        { label: 'Author', value: 'Ada' },
        { label: 'License', value: 'CC0-1.0' },
        { label: 'Source', value: 'Library' },
        { label: 'Reference', value: 'oak_veneer' },
      ],
    });
    expect(materialElement.safeParse({ ...frame, type: 'material', ...material }).error).toBeUndefined();
  });

  test('a material omits rows for unknown facts', () => {
    const bare = { ...info, categories: [], authors: [], dimensions_mm: null, color: null };
    const material = materialOf(bare, null);
    expect(material.rows.map(({ label }) => label)).toEqual(['License', 'Source', 'Reference']);
    expect(materialElement.safeParse({ ...frame, type: 'material', ...material }).error).toBeUndefined();
  });
});

test('togglePick appends a pick, removes it the second time, and adds nothing beyond the maximum', () => {
  const keyOf = (item: string) => item;
  expect(togglePick(['a'], 'b', keyOf, 2)).toEqual(['a', 'b']);
  expect(togglePick(['a', 'b'], 'a', keyOf, 2)).toEqual(['b']);
  expect(togglePick(['a', 'b'], 'c', keyOf, 2)).toEqual(['a', 'b']);
});
