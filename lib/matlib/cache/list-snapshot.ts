import { join } from 'node:path';
import { z } from 'zod';
import type { AssetHosts } from '@/lib/env/asset-hosts';
import { allowedUrl } from '../asset-url';
import { deepFreeze } from '../freeze';
import type { Asset } from '../normalize-asset';
import { type AssetType, infoResponse, searchItem } from '../schema';
import type { Validators } from '../upstream/call';
import { readSnapshot, writeSnapshot } from './snapshot';

/** Increase this when the stored format of assets changes, so that older files are ignored. */
const FORM = 1;

/** A list as it is stored on disk. `fetchedAt` is in milliseconds since 1970. */
export type StoredList = {
  assets: readonly Asset[];
  bodyHash: string;
  validators: Validators;
  fetchedAt: number;
};
type ListLocation = { folder: string; libraryUrl: string; type: AssetType };

const stored = z.object({
  form: z.literal(FORM),
  library: z.string(),
  fetchedAt: z.int().min(1),
  bodyHash: z.string(),
  validators: z.object({ etag: z.string().nullable(), lastModified: z.string().nullable() }),
  assets: z.array(
    z.object({
      item: searchItem,
      detail: infoResponse.pick({
        collections: true,
        category_path: true,
        attributes: true,
        notes: true,
        hdri: true,
        model: true,
      }),
      filesHash: z.string(),
    }),
  ),
});

function fileOf({ folder, type }: ListLocation): string {
  return join(folder, `${type}.json`);
}

/** Returns the list last stored for this library, possibly by another process, or null if there is no usable list. */
export async function readList(location: ListLocation, hosts: AssetHosts): Promise<StoredList | null> {
  const found = await readSnapshot(fileOf(location), stored);
  if (found?.library !== location.libraryUrl) return null;
  const assets = found.assets.filter(
    ({ item }) => item.type === location.type && allowedUrl(item.thumbnail_url, hosts),
  );
  if (assets.length === 0) return null;
  return { ...found, assets: deepFreeze(assets) as Asset[] };
}

/** Saves a list for the next start. Throws if the folder is not writable. */
export function writeList(location: ListLocation, list: StoredList): Promise<void> {
  const { assets, bodyHash, validators, fetchedAt } = list;
  const library = location.libraryUrl;
  return writeSnapshot(fileOf(location), { form: FORM, library, fetchedAt, bodyHash, validators, assets });
}
