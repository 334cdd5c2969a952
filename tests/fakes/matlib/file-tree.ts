import type { FakeAsset } from '@/tests/fakes/matlib/make-library';
import { hexHash, type Random, randomFor } from '@/tests/fakes/matlib/random';

type FileEntry = { url: string; size: number; md5: string; include?: Record<string, FileEntry> };
type Tree = Record<string, unknown>;

const folders = { hdris: 'HDRIs', textures: 'Textures', models: 'Models' };
/** Approximate sizes of 1k files in bytes, by format; each doubling of the resolution quadruples them. */
const bytesAt1k: Record<string, number> = { jpg: 600_000, png: 1_900_000, exr: 2_200_000, hdr: 1_500_000 };
const shortNames: Record<string, string> = {
  Diffuse: 'diff',
  Displacement: 'disp',
  Rough: 'rough',
  AO: 'ao',
};
const rareMaps = [
  'translucent',
  'Metal',
  'spec',
  'Bump',
  'col1',
  'col_02',
  'coll2',
  'rough_ao',
  'page',
  'Mask',
  'Emission',
];

/**
 * Returns the files of an asset in the library's own format, with quirks of the real library. All URLs are under
 * `origin`, except for one that `addBadFiles` adds.
 */
export function makeFileTree(asset: FakeAsset, origin: string): Tree {
  const random = randomFor(`files of ${asset.id}`);
  const base = `${origin}/file/ph-assets/${folders[asset.type]}`;
  const entry = (path: string, size: number): FileEntry => {
    const fields: [string, unknown][] = [
      ['url', `${base}/${path}`],
      ['size', size],
      ['md5', hexHash(path).slice(0, 32)],
    ];
    return Object.fromEntries(random.shuffle(fields)) as FileEntry;
  };
  const tree = asset.type === 'hdris' ? hdriTree(asset, entry, random) : mapTree(asset, entry, random);
  if (asset.type !== 'hdris' && random.chance(0.1)) addBadFiles(tree, entry);
  return tree;
}

type MakeEntry = (path: string, size: number) => FileEntry;

function shuffled<T>(random: Random, entries: [string, T][]): Record<string, T> {
  return Object.fromEntries(random.shuffle(entries));
}

function resolutionsOf(asset: FakeAsset): number[] {
  const most = asset.raw.max_resolution[0] / 1024;
  return [1, 2, 4, 8, 16].filter((size) => size <= most);
}

const sizeOf = (format: string, k: number) => Math.round((bytesAt1k[format] ?? 0) * k * k * 0.9);

function mapTree(asset: FakeAsset, entry: MakeEntry, random: Random): Tree {
  const { id, type } = asset;
  const sizes = resolutionsOf(asset);
  const maps = ['Diffuse', 'nor_gl', 'nor_dx', 'Rough', 'AO', 'arm', 'Displacement'];
  const rare = random.chance(0.3) ? random.some(rareMaps, random.int(1, 3)) : [];
  const mapFile = (name: string, k: number, format: string) =>
    entry(`${format}/${k}k/${id}/${id}_${shortNames[name] ?? name}_${k}k.${format}`, sizeOf(format, k));
  const map = (name: string, ks: number[]): [string, unknown] => [
    name,
    shuffled(
      random,
      ks.map((k) => [
        `${k}k`,
        shuffled(
          random,
          ['jpg', 'png', 'exr'].map((format): [string, FileEntry] => [format, mapFile(name, k, format)]),
        ),
      ]),
    ),
  ];
  const packed = (name: string): [string, unknown] => [
    name,
    shuffled(
      random,
      sizes.map((k) => [
        `${k}k`,
        {
          [name]: {
            ...entry(`${name}/${k}k/${id}/${id}_${k}k.${name}`, 4_700),
            include: {
              [`textures/${id}_diff_${k}k.jpg`]: mapFile('Diffuse', k, 'jpg'),
              [`textures/${id}_nor_gl_${k}k.exr`]: mapFile('nor_gl', k, 'exr'),
              [`textures/${id}_rough_${k}k.jpg`]: mapFile('Rough', k, 'jpg'),
              // The real library stores this file under one resolution but lists it for every resolution.
              ...(name === 'gltf' &&
                type === 'models' && { [`${id}.bin`]: entry(`gltf/8k/${id}/${id}.bin`, 299_232) }),
            },
          },
        },
      ]),
    ),
  ];
  const packages = ['blend', 'gltf', ...(type === 'models' ? ['fbx', 'usd'] : ['mtlx'])];
  return shuffled(random, [
    ...maps.map((name) => map(name, sizes)),
    ...rare.map((name) => map(name, sizes.slice(0, 1))),
    ...packages.map(packed),
  ]);
}

function hdriTree(asset: FakeAsset, entry: MakeEntry, random: Random): Tree {
  const { id, raw } = asset;
  const most = Math.floor(raw.max_resolution[0] / 1024);
  const sizes = [...new Set([1, 2, 4, 8, 16, most])];
  const file = (k: number, format: string): [string, FileEntry] => {
    const folder = k > 16 ? '16k%2B' : `${k}k`;
    return [format, entry(`${format}/${folder}/${id}_${k}k.${format}`, sizeOf(format, k))];
  };
  const plate = (name: string, format: string) =>
    entry(`extra/backplates/${id}/${name}.${format}`, 5_000_000);
  return {
    hdri: shuffled(
      random,
      sizes.map((k): [string, unknown] => [`${k}k`, shuffled(random, [file(k, 'hdr'), file(k, 'exr')])]),
    ),
    tonemapped: entry(`extra/Tonemapped%20JPG/${id}.jpg`, 31_000_000),
    ...(random.chance(0.5) && { colorchart: entry(`extra/Color%20Charts/${id}.zip`, 60_000_000) }),
    ...(raw.backplates === true && {
      backplates: {
        [`${id}_bp_01`]: {
          jpg_pretty: plate(`${id}_bp_01_pretty`, 'jpg'),
          jpg_plain: plate(`${id}_bp_01_plain`, 'jpg'),
          raw: plate(`${id}_bp_01`, 'cr2'),
        },
      },
    }),
  };
}

/**
 * Adds files that the app must leave out: one on another host, one without a size, and an include whose path leads out
 * of its folder.
 */
function addBadFiles(tree: Tree, entry: MakeEntry): void {
  const elsewhere = { url: 'https://files.example.test/x_1k.jpg', size: 1, md5: hexHash('x').slice(0, 32) };
  tree.ref = { '1k': { jpg: elsewhere, png: { url: entry('png/1k/x_1k.png', 1).url } } };
  const gltf = tree.gltf as Record<string, Record<string, FileEntry>>;
  const include = gltf['1k']?.gltf?.include;
  if (include) include['../../outside.bin'] = entry('gltf/1k/outside.bin', 10);
}
