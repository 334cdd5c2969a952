/** One page of a list, with the cursor of the next page. */
export type Page<Item> = { items: Item[]; nextCursor: string | null };

/** Returns the query parameters that request a page; without a cursor, the first page. */
export function pageParams(limit: number, cursor: string | null): Record<string, string> {
  return { limit: String(limit), ...(cursor ? { cursor } : {}) };
}
