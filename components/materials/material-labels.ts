import { countOf } from '@/components/format/count';
import type { AssetType, MapRole, SearchSort, Swatch } from '@/lib/matlib/schema';

/** The asset types in the order in which type selectors list them. */
export const typeOrder: AssetType[] = ['textures', 'hdris', 'models'];

export const typeLabels: Record<AssetType, string> = {
  textures: 'Textures',
  hdris: 'HDRIs',
  models: 'Models',
};

export const typeOne: Record<AssetType, string> = { textures: 'Texture', hdris: 'HDRI', models: 'Model' };

/** Plurals for use inside a sentence. */
export const typePlural: Record<AssetType, string> = {
  textures: 'textures',
  hdris: 'HDRIs',
  models: 'models',
};

/** Formats a count of materials of one type: `1 texture`, `221 HDRIs`. */
export function countOfType(count: number, type: AssetType): string {
  return countOf(count, typePlural[type].slice(0, -1), typePlural[type]);
}

export const sortLabels: Record<SearchSort, string> = {
  relevance: 'Best match',
  downloads: 'Most downloaded',
  hot: 'Popular now',
  newest: 'Newest',
  name: 'Name',
};

export const roleLabels: Record<MapRole, string> = {
  base_color: 'Base color',
  normal_gl: 'Normal (OpenGL)',
  normal_dx: 'Normal (DirectX)',
  roughness: 'Roughness',
  metalness: 'Metalness',
  ao: 'Ambient occlusion',
  displacement: 'Displacement',
  arm: 'AO/Rough/Metal',
  rma: 'Rough/Metal/AO',
  bump: 'Bump',
  specular: 'Specular',
  opacity: 'Opacity',
  emission: 'Emission',
  translucency: 'Translucency',
  environment: 'Environment',
  mask: 'Mask',
  other: 'Other',
};

const packageLabels = new Map([
  ['blend', 'Blender'],
  ['gltf', 'glTF'],
  ['fbx', 'FBX'],
  ['usd', 'USD'],
  ['mtlx', 'MaterialX'],
]);

/** Returns the label of a package, such as `Blender` for `blend`. Returns `name` itself for an unknown package. */
export function packageLabel(name: string): string {
  return packageLabels.get(name) ?? name;
}

export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Returns the label of a swatch. The API uses the British spelling "grey". */
export function swatchLabel(name: Swatch): string {
  return name === 'grey' ? 'Gray' : capitalized(name);
}

/** Formats a real-world size. All sides get the same unit, as in `2.54 × 2.54 m` or `49.2 × 109.5 cm`. */
export function formatDimensions(millimeters: number[]): string {
  const inMeters = Math.max(...millimeters) >= 2_000;
  const [per, unit] = inMeters ? [1_000, 'm'] : [10, 'cm'];
  const digits = inMeters ? 2 : 1;
  return `${millimeters.map((mm) => Number((mm / per).toFixed(digits))).join(' × ')} ${unit}`;
}
