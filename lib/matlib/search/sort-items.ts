import type { SearchItem, SearchSort } from '../schema';

const DAY_MS = 86_400_000;
const NEW_BONUS = 10_000;

/** Returns an item's popularity as the library measures it: downloads relative to age, plus a first-day bonus. */
function popularity(item: SearchItem, now: number): number {
  const ageDays = (now - Date.parse(item.published_at)) / DAY_MS;
  return item.download_count / Math.max(1, ageDays) ** 1.7 + (ageDays < 1 ? NEW_BONUS : 0);
}

const ascending = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Sorts items. Items with equal sort keys are sorted by id, so that pages of results never overlap. `now` is in
 * milliseconds since 1970.
 */
export function sortItems(
  items: readonly SearchItem[],
  sort: Exclude<SearchSort, 'relevance'>,
  now: number,
): SearchItem[] {
  const key: (item: SearchItem) => number | string = {
    downloads: (item: SearchItem) => -item.download_count,
    newest: (item: SearchItem) => -Date.parse(item.published_at),
    hot: (item: SearchItem) => -popularity(item, now),
    name: (item: SearchItem) => item.name.toLowerCase(),
  }[sort];
  const keyed = items.map((item) => ({ item, key: key(item) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : ascending(a.item.id, b.item.id)));
  return keyed.map(({ item }) => item);
}
