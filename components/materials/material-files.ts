import type { FileRef, FilesAnswer, MapRole, PackageRef } from '@/lib/matlib/schema';

export type NamedFile = { name: string; file: FileRef };
export type MapFiles = { name: string; role: MapRole; formats: NamedFile[] };
/** `bytes` of the file and all that belongs beside it; null when one of them is not known. */
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

/** The maps that there are in this resolution, the usual ones first, each with its formats. */
export function mapsAt({ maps, map_roles }: FilesAnswer, resolution: string): MapFiles[] {
  return Object.entries(maps)
    .flatMap(([name, byResolution]) => {
      const formats = Object.entries(byResolution[resolution] ?? {})
        .map(([name, file]) => ({ name, file }))
        .sort((a, b) => rank(usualFormats, a.name) - rank(usualFormats, b.name));
      return formats.length > 0 ? [{ name, role: map_roles[name] ?? ('other' as const), formats }] : [];
    })
    .sort((a, b) => rank(roleOrder, a.role) - rank(roleOrder, b.role) || a.name.localeCompare(b.name, 'en'));
}

/** The packages that there are in this resolution. */
export function packagesAt({ packages }: FilesAnswer, resolution: string): PackageFiles[] {
  return Object.entries(packages).flatMap(([name, byResolution]) => {
    const file = byResolution[resolution];
    if (!file) return [];
    const sizes = [file.size, ...file.include.map(({ size }) => size)];
    const known = sizes.filter((size) => size !== null);
    const bytes = known.length < sizes.length ? null : known.reduce((sum, size) => sum + size, 0);
    return [{ name, file, bytes }];
  });
}

/** What comes in one size only: previews, charts, backplates. */
export function extrasOf({ extras }: FilesAnswer): NamedFile[] {
  const backplates = Object.values(extras.backplates ?? {}).flatMap((byKind, index) =>
    Object.entries(byKind).map(([kind, file]) => ({
      name: `Backplate ${index + 1}, ${kind.replaceAll('_', ' ')}`,
      file,
    })),
  );
  return [
    ...(extras.tonemapped ? [{ name: 'Tone-mapped JPG', file: extras.tonemapped }] : []),
    ...(extras.colorchart ? [{ name: 'Colour charts', file: extras.colorchart }] : []),
    ...backplates,
  ];
}

/** The resolution that is shown first: 2K, which fits most work, else the largest up to it, else what there is. */
export function firstResolution(resolutions: string[]): string | null {
  const upTo = resolutions.filter((name) => Number.parseInt(name, 10) <= 2);
  return upTo.at(-1) ?? resolutions[0] ?? null;
}

/** The same picture with `pixels` on its longer side, where its address says what size it has; else as it is. */
export function thumbnailAt(address: string, pixels: number): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  for (const side of ['width', 'height']) {
    if (url.searchParams.has(side)) url.searchParams.set(side, String(pixels));
  }
  return url.toString();
}
