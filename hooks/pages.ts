/** A part of a list, with the cursor of the next one. */
export type Page<Item> = { items: Item[]; nextCursor: string | null };

/** The query parameters of a page; without a cursor it is the first. */
export function pageParams(limit: number, cursor: string | null): Record<string, string> {
  return { limit: String(limit), ...(cursor ? { cursor } : {}) };
}
