import { describe, expect, test } from 'vitest';
import {
  extrasOf,
  firstResolution,
  mapsAt,
  packagesAt,
  thumbnailAt,
} from '@/components/materials/material-files';
import { formatDimensions, roleLabels } from '@/components/materials/material-labels';
import { type FilesResponse, filesResponse, mapRoles } from '@/lib/matlib/schema';

const file = (name: string, size = 1_000) => ({ url: `https://cdn.example/${name}`, size, md5: null });

const files: FilesResponse = filesResponse.parse({
  id: 'oak',
  type: 'textures',
  resolutions: ['1k', '2k'],
  available_resolutions: ['1k', '2k'],
  maps: {
    weird: { '1k': { png: file('weird.png') } },
    arm: { '1k': { jpg: file('arm.jpg') } },
    nor_gl: { '1k': { exr: file('n.exr'), tga: file('n.tga'), jpg: file('n.jpg') }, '2k': {} },
    Diffuse: { '1k': { jpg: file('d1.jpg') }, '2k': { jpg: file('d2.jpg') } },
  },
  map_roles: { arm: 'arm', nor_gl: 'normal_gl', Diffuse: 'base_color' },
  packages: {
    gltf: { '1k': { ...file('oak.gltf', 10), include: [{ ...file('a', 20), path: 'a' }] } },
    blend: { '2k': { ...file('oak.blend', 5), include: [] } },
  },
  textures: {},
  extras: {
    tonemapped: file('t.jpg'),
    backplates: { one: { jpg_plain: file('p.jpg'), raw: file('p.cr2') } },
  },
  source: { name: 'Library', url: null, license: 'CC0-1.0', credit: 'Made up' },
  fetched_at: '2026-01-01T00:00:00.000Z',
});

describe('material files', () => {
  test('maps are listed in the usual order with the formats of the resolution', () => {
    expect(mapsAt(files, '1k').map(({ name, role }) => [name, role])).toEqual([
      ['Diffuse', 'base_color'],
      ['nor_gl', 'normal_gl'],
      ['arm', 'arm'],
      ['weird', 'other'],
    ]);
    expect(mapsAt(files, '1k')[1]?.formats.map(({ name }) => name)).toEqual(['jpg', 'exr', 'tga']);
    expect(mapsAt(files, '2k').map(({ name }) => name)).toEqual(['Diffuse']);
    expect(mapsAt(files, '16k')).toEqual([]);
  });

  test('the size of a package includes its additional files', () => {
    expect(packagesAt(files, '1k')).toMatchObject([{ name: 'gltf', bytes: 30 }]);
    expect(packagesAt(files, '2k')).toMatchObject([{ name: 'blend', bytes: 5 }]);
    const include = [{ ...file('a', 20), path: 'a', size: null }];
    const unknown = { ...files, packages: { gltf: { '1k': { ...file('oak.gltf', 10), include } } } };
    expect(packagesAt(unknown, '1k')).toMatchObject([{ name: 'gltf', bytes: null }]);
  });

  test('extra files have readable names', () => {
    const names = extrasOf(files).map(({ name }) => name);
    expect(names).toEqual(['Tone-mapped JPG', 'Backplate 1, jpg plain', 'Backplate 1, raw']);
    expect(extrasOf({ ...files, extras: {} })).toEqual([]);
  });

  test.each([
    [['1k', '2k', '4k', '8k'], '2k'],
    [['1k', '4k'], '1k'],
    [['4k', '8k'], '4k'],
    [[], null],
  ])('of the resolutions %j, %j is selected first', (resolutions, first) => {
    expect(firstResolution(resolutions)).toBe(first);
  });
});

test('a larger thumbnail is requested only if the URL contains a size', () => {
  expect(thumbnailAt('https://cdn.example/a.png?width=256&height=256&v=1', 1024)).toBe(
    'https://cdn.example/a.png?width=1024&height=1024&v=1',
  );
  expect(thumbnailAt('https://cdn.example/a.png?v=1', 1024)).toBe('https://cdn.example/a.png?v=1');
  expect(thumbnailAt('nothing', 1024)).toBe('nothing');
});

test('dimensions are formatted in one unit that fits their size', () => {
  expect(formatDimensions([1537, 1537])).toBe('153.7 × 153.7 cm');
  expect(formatDimensions([491.6, 1095.4, 1265.6])).toBe('49.2 × 109.5 × 126.6 cm');
  expect(formatDimensions([3620, 500])).toBe('3.62 × 0.5 m');
});

test('every map role has a unique label', () => {
  expect(new Set(mapRoles.map((role) => roleLabels[role])).size).toBe(mapRoles.length);
});
