/** Returns the picks with the item added at the end, or removed if it is already picked. Adds nothing beyond `max`. */
export function togglePick<Item>(
  picks: readonly Item[],
  item: Item,
  keyOf: (item: Item) => string,
  max: number,
): Item[] {
  const others = picks.filter((other) => keyOf(other) !== keyOf(item));
  if (others.length < picks.length) return others;
  return picks.length < max ? [...picks, item] : [...picks];
}
