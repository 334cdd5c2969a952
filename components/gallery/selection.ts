/** The selected images of the gallery. */
export type Selection = {
  ids: ReadonlySet<string>;
  /** The image from which Shift extends a range. */
  anchor: string | null;
};

export const noSelection: Selection = { ids: new Set(), anchor: null };

/** Selects an image, or deselects it if it is already selected. */
export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/**
 * Adds all images from the anchor to this one to the selection, or only this one if the anchor is null or not shown.
 * `order` has all shown ids in order.
 */
export function extended({ ids, anchor }: Selection, order: string[], id: string): Selection {
  const to = order.indexOf(id);
  const from = anchor === null ? -1 : order.indexOf(anchor);
  const range = from < 0 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...ids, ...range]), anchor: from < 0 ? id : anchor };
}

/** Selects all shown images. */
export function selectedAll(order: string[]): Selection {
  return { ids: new Set(order), anchor: order.at(0) ?? null };
}
