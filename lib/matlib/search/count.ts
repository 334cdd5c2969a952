import { swatchOf } from '../color/swatch-of';
import type { SearchItem, SearchResponse, Swatch } from '../schema';

/**
 * Counts the items in each category that is not in `without`. The most frequent category comes first. Returns pairs,
 * because an object would always put numeric names such as `1950` first.
 */
export function countCategories(
  items: readonly SearchItem[],
  without: readonly string[],
): [string, number][] {
  const counts = new Map<string, number>();
  for (const { categories } of items) {
    for (const name of categories) if (!without.includes(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

type ColorCounts = Pick<NonNullable<SearchResponse['facets']>, 'colors' | 'colors_unknown'>;

/**
 * Counts the items per swatch, and the items whose color is not known yet. Does not count the items in `colorless`,
 * which will never have a color.
 */
export function countColors(items: readonly SearchItem[], colorless: ReadonlySet<string>): ColorCounts {
  const colors: Partial<Record<Swatch, number>> = {};
  let colors_unknown = 0;
  for (const { id, color } of items) {
    if (color !== null) colors[swatchOf(color)] = (colors[swatchOf(color)] ?? 0) + 1;
    else if (!colorless.has(id)) colors_unknown += 1;
  }
  return { colors, colors_unknown };
}
