import { byResolution } from './normalize-files';
import type { FilesQuery, FileTree, Textures } from './schema';
import { texturesOf } from './textures-of';

type ByName<T> = Record<string, T>;

/** Replaces each entry's value with the result of `make`, and drops entries whose result is null or empty. */
function pick<T, U extends object>(
  entries: ByName<T>,
  make: (value: T, name: string) => U | null,
): ByName<U> {
  const kept = Object.entries(entries).flatMap(([name, value]): [string, U][] => {
    const picked = make(value, name);
    return picked && Object.keys(picked).length > 0 ? [[name, picked]] : [];
  });
  return Object.fromEntries(kept);
}

export type PickedFiles = FileTree & {
  textures: Textures;
  resolutions: string[];
  available_resolutions: string[];
};

function resolutionsOf(tree: Pick<FileTree, 'maps' | 'packages'>): string[] {
  const all = [...Object.values(tree.maps), ...Object.values(tree.packages)].flatMap(Object.keys);
  return [...new Set(all)].sort(byResolution);
}

/** Returns the requested part of a file tree. `formats` filters the maps; an empty list means all formats. */
export function pickFiles(tree: FileTree, { resolutions, formats }: FilesQuery): PickedFiles {
  const isSelected = (resolution: string) => resolutions === 'all' || resolutions.includes(resolution);
  const maps = pick(tree.maps, (sizes) =>
    pick(sizes, (files, resolution) =>
      isSelected(resolution)
        ? pick(files, (file, format) => (formats.length === 0 || formats.includes(format) ? file : null))
        : null,
    ),
  );
  const packages = pick(tree.packages, (sizes) =>
    pick(sizes, (file, resolution) => (isSelected(resolution) ? file : null)),
  );
  const roles = Object.entries(tree.map_roles).filter(([name]) => Object.hasOwn(maps, name));
  const map_roles = Object.fromEntries(roles);
  return {
    maps,
    map_roles,
    textures: texturesOf({ maps, map_roles }),
    packages,
    extras: tree.extras,
    resolutions: resolutionsOf({ maps, packages }),
    available_resolutions: resolutionsOf(tree),
  };
}
