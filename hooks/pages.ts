/** One page of a list, with the cursor of the next page. */
export type Page<Item> = { items: Item[]; nextCursor: string | null };

/** Returns the query parameters that request the page at `cursor`, or the first page if `cursor` is null. */
export function pageParams(limit: number, cursor: string | null): Record<string, string> {
  return { limit: String(limit), ...(cursor ? { cursor } : {}) };
}
