import type { FileRef, FilesResponse, MapRole, PackageRef } from '@/lib/matlib/schema';

export type NamedFile = { name: string; file: FileRef };
export type MapFiles = { name: string; role: MapRole; formats: NamedFile[] };
/** `bytes` is the total size of the file and its included files; null if any of these sizes is unknown. */
export type PackageFiles = { name: string; file: PackageRef; bytes: number | null };

const usualFormats = ['jpg', 'png', 'exr', 'hdr'];
const roleOrder: MapRole[] = [
  'environment',
  'base_color',
  'normal_gl',
  'normal_dx',
  'roughness',
  'metalness',
];

function rank<T>(order: readonly T[], value: T): number {
  const at = order.indexOf(value);
  return at < 0 ? order.length : at;
}

/** Returns the maps that are available at a resolution, common maps first, each with its formats. */
export function mapsAt({ maps, map_roles }: FilesResponse, resolution: string): MapFiles[] {
  return Object.entries(maps)
    .flatMap(([name, byResolution]) => {
      const formats = Object.entries(byResolution[resolution] ?? {})
        .map(([name, file]) => ({ name, file }))
        .sort((a, b) => rank(usualFormats, a.name) - rank(usualFormats, b.name));
      return formats.length > 0 ? [{ name, role: map_roles[name] ?? ('other' as const), formats }] : [];
    })
    .sort((a, b) => rank(roleOrder, a.role) - rank(roleOrder, b.role) || a.name.localeCompare(b.name, 'en'));
}

/** Returns the packages that are available at a resolution. */
export function packagesAt({ packages }: FilesResponse, resolution: string): PackageFiles[] {
  return Object.entries(packages).flatMap(([name, byResolution]) => {
    const file = byResolution[resolution];
    if (!file) return [];
    const sizes = [file.size, ...file.include.map(({ size }) => size)];
    const known = sizes.filter((size) => size !== null);
    const bytes = known.length < sizes.length ? null : known.reduce((sum, size) => sum + size, 0);
    return [{ name, file, bytes }];
  });
}

/** Returns the files that do not come in several resolutions: the tone-mapped JPG, color charts and backplates. */
export function extrasOf({ extras }: FilesResponse): NamedFile[] {
  const backplates = Object.values(extras.backplates ?? {}).flatMap((byKind, index) =>
    Object.entries(byKind).map(([kind, file]) => ({
      name: `Backplate ${index + 1}, ${kind.replaceAll('_', ' ')}`,
      file,
    })),
  );
  return [
    ...(extras.tonemapped ? [{ name: 'Tone-mapped JPG', file: extras.tonemapped }] : []),
    ...(extras.colorchart ? [{ name: 'Color charts', file: extras.colorchart }] : []),
    ...backplates,
  ];
}

/**
 * Returns the default resolution. This is the largest one up to 2K or, if all are larger than 2K, the first one.
 * Returns null if `resolutions` is empty.
 */
export function firstResolution(resolutions: string[]): string | null {
  const upTo = resolutions.filter((name) => Number.parseInt(name, 10) <= 2);
  return upTo.at(-1) ?? resolutions[0] ?? null;
}

/** Returns a picture's URL with its size parameters set to `pixels`. A URL without size parameters stays the same. */
export function thumbnailAt(address: string, pixels: number): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  for (const side of ['width', 'height']) {
    if (url.searchParams.has(side)) url.searchParams.set(side, String(pixels));
  }
  return url.toString();
}
