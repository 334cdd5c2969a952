/** The selected ids of a list. `anchor` is the id that the user last selected or deselected. */
export type Selection = { chosen: ReadonlySet<string>; anchor: string | null };

export const nothingChosen: Selection = { chosen: new Set(), anchor: null };

/**
 * Selects or deselects an id, or with `extend` all ids from the anchor to this one. `ids` has all ids of the list in
 * order.
 */
export function choose(
  { chosen, anchor }: Selection,
  ids: string[],
  { id, isChosen, extend }: { id: string; isChosen: boolean; extend: boolean },
): Selection {
  const from = extend && anchor !== null ? ids.indexOf(anchor) : -1;
  const to = ids.indexOf(id);
  const range = from < 0 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
  const next = new Set(chosen);
  for (const each of range) {
    if (isChosen) next.add(each);
    else next.delete(each);
  }
  return { chosen: next, anchor: id };
}
