/** A part of a list, with the cursor of the next one. */
export type Page<Item> = { items: Item[]; nextCursor: string | null };

/** The URL parameters of a page: `limit`, and `cursor` unless it is the first. */
export type PageParams = Record<string, string>;

/**
 * Merges a reloaded first page into the shown list. Items loaded further down stay as long as there is no gap between
 * the two; otherwise only the first page remains. An item can have moved up.
 */
export function withNewBeginning<Item extends { id: string }>(
  shown: Page<Item> | null,
  begin: Page<Item>,
): Page<Item> {
  const last = begin.items.at(-1);
  const at = shown && last ? shown.items.findIndex(({ id }) => id === last.id) : -1;
  if (!shown || at < 0 || at === shown.items.length - 1) return begin;
  const moved = new Set(begin.items.map(({ id }) => id));
  const older = shown.items.slice(at + 1).filter(({ id }) => !moved.has(id));
  return { items: [...begin.items, ...older], nextCursor: shown.nextCursor };
}
