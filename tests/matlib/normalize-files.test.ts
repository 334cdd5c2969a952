import { expect, test } from 'vitest';
import { assetHosts } from '@/lib/env/asset-hosts';
import { normalizeFiles } from '@/lib/matlib/normalize-files';
import { pickFiles } from '@/lib/matlib/pick-files';
import { filesQuery } from '@/lib/matlib/schema';

const hosts = assetHosts('dl.example.test');
const file = (name: string) => ({ size: 10, url: `https://dl.example.test/${name}`, md5: 'a'.repeat(32) });
const normalize = (tree: unknown) => normalizeFiles(tree, hosts);

test('maps are sorted by name, and resolutions by number', () => {
  const tree = normalize({
    nor_gl: { '16k': { png: file('a') }, '2k': { png: file('b'), jpg: file('c') }, '1k': { exr: file('d') } },
    Diffuse: { '8k': { jpg: file('e') } },
  });
  expect(Object.keys(tree?.maps ?? {})).toEqual(['Diffuse', 'nor_gl']);
  expect(Object.keys(tree?.maps.nor_gl ?? {})).toEqual(['1k', '2k', '16k']);
  expect(Object.keys(tree?.maps.nor_gl?.['2k'] ?? {})).toEqual(['jpg', 'png']);
});

test.each([
  ['Diffuse', 'base_color'],
  ['diff_png', 'base_color'],
  ['col_01', 'base_color'],
  ['coll2', 'base_color'],
  ['col1', 'base_color'],
  ['nor_gl', 'normal_gl'],
  ['normal_dx', 'normal_dx'],
  ['Rough', 'roughness'],
  ['Metal', 'metalness'],
  ['AO', 'ao'],
  ['arm', 'arm'],
  ['Displacement', 'displacement'],
  ['translucent', 'translucency'],
  ['Alpha', 'opacity'],
  ['Mask', 'mask'],
  ['rough_ao', 'roughness'],
  ['rough_diff', 'roughness'],
  ['rough_polar', 'roughness'],
  ['diff_polar', 'base_color'],
  ['nor_polar', 'normal_gl'],
  ['rma', 'rma'],
  ['ref', 'other'],
  ['page', 'other'],
  ['constructor', 'other'],
])('the map %s has the role %s', (name, role) => {
  expect(normalize({ [name]: { '1k': { jpg: file('x') } } })?.map_roles).toEqual({ [name]: role });
});

test('files of other hosts and invalid resolutions are dropped', () => {
  const tree = normalize({
    Diffuse: {
      '1k': {
        jpg: { ...file('x'), url: 'https://evil.test/x.jpg' },
        exr: file('z'),
      },
      huge: { jpg: file('x') },
    },
    gone: { '1k': { jpg: { ...file('x'), url: 'http://dl.example.test/x' } } },
    text: 'not a map',
    __proto__x: { '1k': { jpg: file('p') } },
    'a/b': { '1k': { jpg: file('p') } },
  });
  expect(tree?.maps).toEqual({
    Diffuse: { '1k': { exr: file('z') } },
    __proto__x: { '1k': { jpg: file('p') } },
  });
  expect(
    normalize(JSON.parse('{"__proto__":{"1k":{"jpg":{"url":"https://dl.example.test/x","size":1}}}}')),
  ).toBeNull();
});

test('a file is kept when its size is missing, a string or out of range', () => {
  const { url } = file('y');
  const formats = {
    jpg: { url },
    png: { url, size: '1234' },
    exr: { url, size: -1 },
    hdr: { url, size: 1e300 },
  };
  expect(normalize({ Diffuse: { '1k': formats } })?.maps.Diffuse?.['1k']).toEqual({
    jpg: { url, size: null, md5: null },
    png: { url, size: 1234, md5: null },
    exr: { url, size: null, md5: null },
    hdr: { url, size: null, md5: null },
  });
});

test('textures name the maps by role, with resolutions in capitals', () => {
  const tree = normalize({
    col_01: { '1k': { jpg: file('col') } },
    Diffuse: {
      '1k': { jpg: file('d1'), png: file('p1') },
      '2k': { jpg: file('d2') },
      '8k': { jpg: file('d8') },
    },
    nor_dx: { '1k': { png: file('dx') } },
    nor_gl: { '1k': { png: file('gl') } },
    rough_ao: { '1k': { jpg: file('ra') } },
    Rough: { '1k': { jpg: file('r') } },
    page: { '1k': { jpg: file('page') } },
    Displacement: { '8k': { exr: file('disp') } },
  });
  if (!tree) throw new Error('no tree');
  const ref = (name: string) => ({ url: file(name).url, size: 10 });
  expect(pickFiles(tree, filesQuery.parse({})).textures).toEqual({
    diffuse: { '1K': { jpg: ref('d1'), png: ref('p1') }, '2K': { jpg: ref('d2') } },
    normal: { '1K': { png: ref('gl') } },
    normal_dx: { '1K': { png: ref('dx') } },
    roughness: { '1K': { jpg: ref('r') } },
  });
  expect(pickFiles(tree, filesQuery.parse({ resolutions: '8k' })).textures).toEqual({
    diffuse: { '8K': { jpg: ref('d8') } },
    displacement: { '8K': { exr: ref('disp') } },
  });
});

test('packages list their included files, but none outside their folder', () => {
  const include = {
    'textures/x.jpg': file('x.jpg'),
    'x.bin': file('x.bin'),
    '../x.bin': file('out'),
    'a/../../x.bin': file('out'),
    '/etc/passwd': file('out'),
    'C:x': file('out'),
    'a\\b': file('out'),
    'textures/evil.jpg': { ...file('x'), url: 'https://evil.test/x.jpg' },
  };
  const tree = normalize({ gltf: { '1k': { gltf: { ...file('x.gltf'), include } } }, blend: { '1k': {} } });
  expect(tree?.packages).toEqual({
    gltf: {
      '1k': {
        ...file('x.gltf'),
        include: [
          { path: 'textures/x.jpg', ...file('x.jpg') },
          { path: 'x.bin', ...file('x.bin') },
        ],
      },
    },
  });
});

test('an HDRI has one map, and extras without a resolution', () => {
  const tree = normalize({
    hdri: { '24k': { exr: file('a') }, '4k': { hdr: file('b') } },
    tonemapped: file('t.jpg'),
    colorchart: file('c.zip'),
    backplates: { plate_01: { jpg_pretty: file('p'), raw: file('r') } },
  });
  expect(tree?.map_roles).toEqual({ hdri: 'environment' });
  expect(tree?.extras).toEqual({
    tonemapped: file('t.jpg'),
    colorchart: file('c.zip'),
    backplates: { plate_01: { jpg_pretty: file('p'), raw: file('r') } },
  });
});

test.each([null, [], 'x', {}, { Diffuse: {} }, { a: { b: { c: { d: 1 } } } }])(
  'a tree without files is null: %j',
  (tree) => {
    expect(normalize(tree)).toBeNull();
  },
);

test('the requested resolutions and formats are returned', () => {
  const tree = normalize({
    Diffuse: { '1k': { jpg: file('a'), png: file('b') }, '4k': { jpg: file('c') }, '8k': { jpg: file('d') } },
    ref: { '8k': { png: file('e') } },
    blend: { '8k': { blend: file('f') }, '1k': { blend: file('g') } },
  });
  if (!tree) throw new Error('no tree');
  const usual = pickFiles(tree, filesQuery.parse({}));
  expect(usual.resolutions).toEqual(['1k', '4k']);
  expect(usual.available_resolutions).toEqual(['1k', '4k', '8k']);
  expect(usual.map_roles).toEqual({ Diffuse: 'base_color' });
  expect(Object.keys(usual.packages.blend ?? {})).toEqual(['1k']);
  const all = pickFiles(tree, filesQuery.parse({ resolutions: 'all', formats: 'PNG' }));
  expect(all.maps).toEqual({ Diffuse: { '1k': { png: file('b') } }, ref: { '8k': { png: file('e') } } });
  expect(pickFiles(tree, filesQuery.parse({ resolutions: '2K' })).maps).toEqual({});
});
