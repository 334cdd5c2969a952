import { expect, test } from 'vitest';
import { assetHosts } from '@/lib/matlib/asset-url';
import { normaliseFiles } from '@/lib/matlib/normalise-files';
import { pickFiles } from '@/lib/matlib/pick-files';
import { filesQuery } from '@/lib/matlib/schema';

const hosts = assetHosts('dl.example.test');
const file = (name: string) => ({ size: 10, url: `https://dl.example.test/${name}`, md5: 'a'.repeat(32) });
const normalise = (tree: unknown) => normaliseFiles(tree, hosts);

test('sorts what comes in any order, and resolutions by number', () => {
  const tree = normalise({
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
  ['rough_ao', 'other'],
  ['page', 'other'],
  ['constructor', 'other'],
])('the map %s is for %s', (name, role) => {
  expect(normalise({ [name]: { '1k': { jpg: file('x') } } })?.map_roles).toEqual({ [name]: role });
});

test('leaves out files of other hosts, without a size, and names that are none', () => {
  const tree = normalise({
    Diffuse: {
      '1k': {
        jpg: { ...file('x'), url: 'https://evil.test/x.jpg' },
        png: { url: file('y').url },
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
    normalise(JSON.parse('{"__proto__":{"1k":{"jpg":{"url":"https://dl.example.test/x","size":1}}}}')),
  ).toBeNull();
});

test('packages lie one level flatter, with what belongs beside them, but nothing outside their folder', () => {
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
  const tree = normalise({ gltf: { '1k': { gltf: { ...file('x.gltf'), include } } }, blend: { '1k': {} } });
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
  const tree = normalise({
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
  'has nothing to give for %j',
  (tree) => {
    expect(normalise(tree)).toBeNull();
  },
);

test('gives the resolutions and formats that were asked for', () => {
  const tree = normalise({
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
