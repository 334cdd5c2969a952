/** The selected ids of a list. `anchor` is the id that the user last selected or deselected. */
export type Selection = { ids: ReadonlySet<string>; anchor: string | null };

export const noSelection: Selection = { ids: new Set(), anchor: null };

/**
 * Selects or deselects an id or, with `extend`, all ids from the anchor to this id. `extend` has no effect if the list
 * does not contain the anchor. `order` lists all ids in display order.
 */
export function select(
  { ids, anchor }: Selection,
  order: readonly string[],
  { id, isSelected, extend }: { id: string; isSelected: boolean; extend: boolean },
): Selection {
  const from = extend && anchor !== null ? order.indexOf(anchor) : -1;
  const to = order.indexOf(id);
  const range = from < 0 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
  const next = new Set(ids);
  for (const each of range) {
    if (isSelected) next.add(each);
    else next.delete(each);
  }
  return { ids: next, anchor: id };
}

/** Returns the selection without the ids that the list no longer shows. */
export function selectedIn(selection: Selection, order: readonly string[]): Selection {
  const ids = new Set(order.filter((id) => selection.ids.has(id)));
  return ids.size === selection.ids.size ? selection : { ...selection, ids };
}

export function selectAll(order: readonly string[]): Selection {
  return { ids: new Set(order), anchor: null };
}
