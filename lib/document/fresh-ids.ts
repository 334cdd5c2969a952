/**
 * Returns `id` if it is free. Otherwise returns the start of `id`, without a numeric suffix that `id` already has, plus
 * the lowest free numeric suffix from 2 on. Deterministic, so that repeating a change produces the same document.
 */
export function freshId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  const stem = id.replace(/-\d{1,6}$/, '').slice(0, 56);
  let number = 2;
  while (taken.has(`${stem}-${number}`)) number += 1;
  return `${stem}-${number}`;
}

/** Returns the items, with a new id for each item whose id occurs in `others` or earlier in `items`. */
export function withFreshIds<Item extends { id: string }>(
  items: readonly Item[],
  others: readonly { id: string }[],
): Item[] {
  const taken = new Set(others.map(({ id }) => id));
  return items.map((item) => {
    const id = freshId(item.id, taken);
    taken.add(id);
    return id === item.id ? item : { ...item, id };
  });
}
