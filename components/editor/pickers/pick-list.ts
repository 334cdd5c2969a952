/** Adds the item at the end of the picks, or removes it if it is there. Adds nothing beyond `max`. */
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
