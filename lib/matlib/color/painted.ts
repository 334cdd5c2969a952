import type { Catalogue } from '../catalogue';
import type { AssetType, SearchItem } from '../schema';
import type { ColorBook } from './color-book';

/** A catalogue's items with the colors known so far. `version` changes whenever anything in it does. */
export type Painted = { version: number; catalogue: Catalogue; items: ReadonlyMap<string, SearchItem> };

/** Returns a function that adds the colors to a catalogue's items, and only builds them again when one of the two changed. */
export function createPainter(book: ColorBook) {
  const last = new Map<AssetType, Painted & { bookVersion: number }>();
  let version = 0;
  return (catalogue: Catalogue): Painted => {
    const former = last.get(catalogue.type);
    const bookVersion = book.version();
    if (former?.catalogue === catalogue && former.bookVersion === bookVersion) return former;
    const items = new Map(
      [...catalogue.assets.values()].map(({ item }) => {
        const color = book.colorOf(item.thumbnail_url);
        const before = former?.items.get(item.id);
        const isSame = before && former?.catalogue.bodyHash === catalogue.bodyHash && before.color === color;
        return [item.id, isSame ? before : Object.freeze({ ...item, color })] as const;
      }),
    );
    version += 1;
    const painted = { version, catalogue, items, bookVersion };
    last.set(catalogue.type, painted);
    return painted;
  };
}
