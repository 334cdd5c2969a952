import { byUsualName } from './map-roles';
import type { FileTree, MapRole, Textures, TextureWord } from './schema';

/** Common names of map roles. A role without an entry keeps its own name. */
const words: Partial<Record<MapRole, TextureWord>> = { base_color: 'diffuse', normal_gl: 'normal' };

/**
 * Returns a file tree's maps by role, then by uppercase resolution (`2K`), then by format. Omits maps with the role
 * `other`. If several maps have the same role, uses the one with the most common name.
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
