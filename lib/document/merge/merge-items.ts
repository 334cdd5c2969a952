import { freshId } from '../fresh-ids';
import type { Conflict } from './conflict';
import type { Decide, Location } from './merge-fields';
import { canonicalText } from './same-value';

type Sides<Items> = { base: Items; mine: Items; theirs: Items };

const byId = <Item extends { id: string }>(items: readonly Item[]) =>
  new Map(items.map((item) => [item.id, item]));

/**
 * If both sides added different items with the same id, gives one of the two items a new id. Two users can add such
 * items by duplicating the same page or element. Which item gets the new id does not depend on which side is mine.
 */
export function withIdsApart<Item extends { id: string }>(
  { base, mine, theirs }: Sides<readonly Item[]>,
  isSameItem: (a: Item, b: Item) => boolean,
): Sides<readonly Item[]> {
  const [old, others] = [byId(base), byId(theirs)];
  const taken = new Set([...base, ...mine, ...theirs].map(({ id }) => id));
  const sides = { base, mine, theirs };
  for (const own of mine) {
    const other = others.get(own.id);
    if (!other || old.has(own.id) || isSameItem(own, other)) continue;
    const id = freshId(own.id, taken);
    taken.add(id);
    const side = canonicalText(own) < canonicalText(other) ? 'theirs' : 'mine';
    sides[side] = sides[side].map((item) => (item.id === own.id ? { ...item, id } : item));
  }
  return sides;
}

/** How to merge items of one kind. */
export type ItemRules<Item> = {
  merge: (sides: Sides<Item>) => Item;
  isEdited: (from: Item, to: Item) => boolean;
  locationOf: (id: string) => Location & Partial<Pick<Conflict, 'property'>>;
};

/**
 * Merges items by id, in the order of `ids`. Added items are kept and removed items are dropped. An item that one side
 * removed and the other side changed is a conflict.
 */
export function mergeItems<Item extends { id: string }>(
  { base, mine, theirs }: Sides<readonly Item[]>,
  ids: readonly string[],
  { merge, isEdited, locationOf }: ItemRules<Item>,
  decide: Decide,
): Item[] {
  const [olds, owns, others] = [byId(base), byId(mine), byId(theirs)];
  return ids.flatMap((id) => {
    const [old, own, other] = [olds.get(id), owns.get(id), others.get(id)];
    if (own && other && old) return [merge({ base: old, mine: own, theirs: other })];
    // Both sides added this item. If it is a page or an element, the two versions differ at most in order or layer,
    // because `withIdsApart` gave different items different ids. Pick the same version whichever side is mine.
    if (own && other) return [canonicalText(other) < canonicalText(own) ? other : own];
    const left = own ?? other;
    if (!left) return [];
    if (!old) return [left];
    if (!isEdited(old, left)) return [];
    const keeps = own ? 'mine' : 'theirs';
    const kept = decide({
      kind: 'removal',
      property: null,
      ...locationOf(id),
      mine: own ?? null,
      theirs: other ?? null,
      keeps,
    });
    return kept === keeps ? [left] : [];
  });
}
