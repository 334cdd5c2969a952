import type { StoredList } from './cache/list-snapshot';
import type { Asset } from './normalize-asset';
import type { AssetType, SearchItem } from './schema';
import { createTextIndex, type TextIndex } from './search/text-index';
import type { Validators } from './upstream/call';

/** One list of the library with its search index. A catalogue never changes; a newer one replaces it. */
export type MaterialCatalogue = {
  type: AssetType;
  /** The published assets. */
  assets: ReadonlyMap<string, Asset>;
  /** All assets of the list, published or not. An asset can become published without a change to the list. */
  listed: readonly Asset[];
  index: TextIndex;
  bodyHash: string;
  validators: Validators;
  /** When the library last confirmed this list, in milliseconds since 1970. */
  fetchedAt: number;
};

/** Returns the assets that are already published at `time`, in milliseconds since 1970. */
export function publishedBy(time: number, assets: readonly Asset[]): Asset[] {
  return assets.filter(({ item }) => Date.parse(item.published_at) <= time);
}

/** Builds a catalogue. Indexing takes tens of milliseconds, so call this only if the list has changed. */
export async function buildCatalogue(type: AssetType, list: StoredList): Promise<MaterialCatalogue> {
  const assets = publishedBy(list.fetchedAt, list.assets);
  const items: SearchItem[] = assets.map(({ item }) => item);
  return {
    type,
    assets: new Map(assets.map((asset) => [asset.item.id, asset])),
    listed: list.assets,
    index: await createTextIndex(items),
    bodyHash: list.bodyHash,
    validators: list.validators,
    fetchedAt: list.fetchedAt,
  };
}
