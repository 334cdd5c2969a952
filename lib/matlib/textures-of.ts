import { byUsualName } from './map-roles';
import type { FileTree, MapRole, Textures, TextureWord } from './schema';

/** The usual words for roles; a role without an entry is its own word. */
const words: Partial<Record<MapRole, TextureWord>> = { base_color: 'diffuse', normal_gl: 'normal' };

/**
 * The maps of a tree by purpose, then by resolution in capitals (`2K`) and format. Maps with an unknown purpose are left
 * out; if several maps have one purpose, the one with the usual name is used.
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
