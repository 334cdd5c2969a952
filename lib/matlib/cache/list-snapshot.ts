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
const FORM = 2;

/** A list as it is stored on disk. `fetchedAt` is in milliseconds since 1970. */
export type StoredList = {
  assets: readonly Asset[];
  bodyHash: string;
  validators: Validators;
  fetchedAt: number;
};
/** Where a list is stored, and the allowed hosts. Assets with a thumbnail on any other host are left out. */
type ListLocation = { folder: string; libraryUrl: string; hosts: AssetHosts; type: AssetType };

const stored = z.object({
  form: z.literal(FORM),
  library: z.string(),
  hosts: z.string().default(''),
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

const keyOf = (hosts: AssetHosts) => [...hosts].sort().join();

/**
 * Returns the list last stored for this library, possibly by another process, or null if there is no usable list. If
 * the list was stored for other hosts, it may lack assets, so `isComplete` is false. Such a list is returned without
 * its validators and hash, so that the library sends it again even if it is unchanged.
 */
export async function readList(
  location: ListLocation,
): Promise<(StoredList & { isComplete: boolean }) | null> {
  const found = await readSnapshot(fileOf(location), stored);
  if (found?.library !== location.libraryUrl) return null;
  const assets = found.assets.filter(
    ({ item }) => item.type === location.type && allowedUrl(item.thumbnail_url, location.hosts),
  );
  if (assets.length === 0) return null;
  const isComplete = found.hosts === keyOf(location.hosts);
  return {
    assets: deepFreeze(assets) as Asset[],
    bodyHash: isComplete ? found.bodyHash : '',
    validators: isComplete ? found.validators : { etag: null, lastModified: null },
    fetchedAt: found.fetchedAt,
    isComplete,
  };
}

/** Saves a list for the next start. Throws if the folder is not writable. */
export function writeList(location: ListLocation, list: StoredList): Promise<void> {
  const { assets, bodyHash, validators, fetchedAt } = list;
  return writeSnapshot(fileOf(location), {
    form: FORM,
    library: location.libraryUrl,
    hosts: keyOf(location.hosts),
    fetchedAt,
    bodyHash,
    validators,
    assets,
  });
}
