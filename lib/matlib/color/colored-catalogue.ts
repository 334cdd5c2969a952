import type { MaterialCatalogue } from '../catalogue';
import type { AssetType, SearchItem } from '../schema';
import type { ColorCache } from './color-cache';

/**
 * A catalogue's items with the colors known so far, and the ids of the items that have no color. `version` changes
 * whenever the catalogue or a color changes.
 */
export type ColoredCatalogue = {
  version: number;
  catalogue: MaterialCatalogue;
  items: ReadonlyMap<string, SearchItem>;
  colorless: ReadonlySet<string>;
};

/**
 * Returns a function that adds colors to a catalogue's items. The function reuses its last result if nothing has
 * changed.
 */
export function createColorApplier(colorCache: ColorCache) {
  const last = new Map<AssetType, ColoredCatalogue & { colorVersion: number }>();
  let version = 0;
  return (catalogue: MaterialCatalogue): ColoredCatalogue => {
    const former = last.get(catalogue.type);
    const colorVersion = colorCache.version();
    if (former?.catalogue === catalogue && former.colorVersion === colorVersion) return former;
    const items = new Map(
      [...catalogue.assets.values()].map(({ item }) => {
        const color = colorCache.colorOf(item.thumbnail_url);
        const before = former?.items.get(item.id);
        const isSame = before && former?.catalogue.bodyHash === catalogue.bodyHash && before.color === color;
        return [item.id, isSame ? before : Object.freeze({ ...item, color })] as const;
      }),
    );
    const colorless = new Set(
      [...items.values()].filter((item) => colorCache.isColorless(item.thumbnail_url)).map(({ id }) => id),
    );
    version += 1;
    const colored = { version, catalogue, items, colorless, colorVersion };
    last.set(catalogue.type, colored);
    return colored;
  };
}
