import type { StoredList } from './cache/list-snapshot';
import type { Asset } from './normalize-asset';
import type { AssetType, SearchItem } from './schema';
import { createTextIndex, type TextIndex } from './search/text-index';
import type { Validators } from './upstream/call';

/** One list of the library with its search index. Immutable: a newer catalogue replaces it. */
export type Catalogue = {
  type: AssetType;
  assets: ReadonlyMap<string, Asset>;
  index: TextIndex;
  bodyHash: string;
  validators: Validators;
  /** When the library last confirmed this list, in milliseconds since 1970. */
  fetchedAt: number;
};

/** Builds a catalogue. Indexing takes tens of milliseconds, so call this only if the list has changed. */
export async function buildCatalogue(type: AssetType, list: StoredList): Promise<Catalogue> {
  const items: SearchItem[] = list.assets.map(({ item }) => item);
  return {
    type,
    assets: new Map(list.assets.map((asset) => [asset.item.id, asset])),
    index: await createTextIndex(items),
    bodyHash: list.bodyHash,
    validators: list.validators,
    fetchedAt: list.fetchedAt,
  };
}
