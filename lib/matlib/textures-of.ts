import { byUsualName } from './map-roles';
import type { FileTree, MapRole, Textures, TextureWord } from './schema';

/** A role has the word that people use for it; without an entry it is the role itself. */
const words: Partial<Record<MapRole, TextureWord>> = { base_color: 'diffuse', normal_gl: 'normal' };

/**
 * The maps of a tree by what they are for, then by resolution in capitals (`2K`) and format. A map whose purpose is
 * not known is left out; of several maps for one purpose, the one with the usual name counts.
 */
export function texturesOf({ maps, map_roles }: Pick<FileTree, 'maps' | 'map_roles'>): Textures {
  const textures: Textures = {};
  for (const name of Object.keys(maps).sort(byUsualName)) {
    const role = map_roles[name] ?? 'other';
    if (role === 'other') continue;
    const word = words[role] ?? (role as TextureWord);
    textures[word] ??= Object.fromEntries(
      Object.entries(maps[name] ?? {}).map(([resolution, files]) => [
        resolution.toUpperCase(),
        Object.fromEntries(Object.entries(files).map(([format, { url, size }]) => [format, { url, size }])),
      ]),
    );
  }
  return textures;
}
