/**
 * Returns `id` if it is not taken. Otherwise replaces the numeric suffix of `id`, or appends one if there is none. The
 * suffix is the lowest number from 2 on that makes the id unique. A long `id` is cut to make room. Deterministic, so
 * repeating a change produces the same document.
 */
export function freshId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  const stem = id.replace(/-\d{1,6}$/, '').slice(0, 56);
  let number = 2;
  while (taken.has(`${stem}-${number}`)) number += 1;
  return `${stem}-${number}`;
}

/** Returns the items, with a new id for each item whose id is taken by `others` or by an earlier item of the result. */
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
