import type { AssetHosts } from '@/lib/env/asset-hosts';
import { allowedUrl } from './asset-url';
import { deepFreeze } from './freeze';
import { mapRoleOf } from './map-roles';
import { type FileRef, type FileTree, fileRef, type PackageRef } from './schema';

const packageNames = new Set(['blend', 'gltf', 'mtlx', 'fbx', 'usd']);
const RESOLUTION = /^\d{1,2}k$/;
const NAME = /^(?!__proto__$)[\w .-]{1,80}$/;

const MD5 = /^[0-9a-f]{32}$/i;

type Dict = Record<string, unknown>;

function isDict(value: unknown): value is Dict {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses a size in bytes, which is a number or a string of digits. Returns null if it is missing or invalid. */
function sizeOf(value: unknown): number | null {
  const size = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : null;
}

function fileOf(value: unknown, hosts: AssetHosts): FileRef | null {
  if (!isDict(value)) return null;
  const url = allowedUrl(value.url, hosts);
  if (!url) return null;
  const { md5 } = value;
  const file = { url, size: sizeOf(value.size), md5: typeof md5 === 'string' && MD5.test(md5) ? md5 : null };
  return fileRef.safeParse(file).success ? file : null;
}

/** Returns whether the path of a file in a package stays inside the package's folder. */
function isSafePath(path: string): boolean {
  return path.length <= 300 && !/^[/\\]|\\|[:\0]/.test(path) && !path.split('/').includes('..');
}

function packageOf(value: unknown, hosts: AssetHosts): PackageRef | null {
  const file = fileOf(value, hosts);
  if (!file || !isDict(value)) return null;
  const include = Object.entries(isDict(value.include) ? value.include : {}).flatMap(([path, part]) => {
    const included = isSafePath(path) ? fileOf(part, hosts) : null;
    return included ? [{ path, ...included }] : [];
  });
  include.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { ...file, include };
}

/**
 * Converts each value with `read`. Drops an entry if its key does not match `name`, or if `read` returns null. Returns
 * the remaining entries sorted by key with `compare`, or null if there are none.
 */
function entriesOf<T>(
  value: unknown,
  read: (value: unknown) => T | null,
  { name = NAME, compare = byText }: { name?: RegExp; compare?: (a: string, b: string) => number } = {},
): Record<string, T> | null {
  if (!isDict(value)) return null;
  const kept = Object.entries(value).flatMap(([key, part]): [string, T][] => {
    const item = name.test(key) ? read(part) : null;
    return item === null ? [] : [[key, item]];
  });
  kept.sort(([a], [b]) => compare(a, b));
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Compares resolutions as numbers, so that `2k` comes before `16k`. */
export const byResolution = (a: string, b: string) => Number.parseInt(a, 10) - Number.parseInt(b, 10);

/**
 * Converts the library's file tree to Atelier's format and freezes it. Separates maps, packages and extras, omits
 * invalid files and files on hosts that are not allowed, and puts keys in a stable order. Returns null if no file is
 * left.
 */
export function normalizeFiles(value: unknown, hosts: AssetHosts): FileTree | null {
  if (!isDict(value)) return null;
  const file = (part: unknown) => fileOf(part, hosts);
  const sizes = { name: RESOLUTION, compare: byResolution };
  const { tonemapped, colorchart, backplates, ...rest } = value;
  const tree: FileTree = { maps: {}, map_roles: {}, packages: {}, extras: {} };
  for (const name of Object.keys(rest).sort(byText)) {
    if (!NAME.test(name)) continue;
    if (packageNames.has(name)) {
      // The library repeats the package name below the resolution: blend → 1k → blend.
      const found = entriesOf(
        rest[name],
        (level) => (isDict(level) ? packageOf(level[name], hosts) : null),
        sizes,
      );
      if (found) tree.packages[name] = found;
      continue;
    }
    const found = entriesOf(rest[name], (level) => entriesOf(level, file), sizes);
    if (!found) continue;
    tree.maps[name] = found;
    tree.map_roles[name] = mapRoleOf(name);
  }
  const plates = entriesOf(backplates, (plate) => entriesOf(plate, file));
  const toned = file(tonemapped);
  const chart = file(colorchart);
  if (toned) tree.extras.tonemapped = toned;
  if (chart) tree.extras.colorchart = chart;
  if (plates) tree.extras.backplates = plates;
  const isEmpty = [tree.maps, tree.packages, tree.extras].every((part) => Object.keys(part).length === 0);
  return isEmpty ? null : deepFreeze(tree);
}
