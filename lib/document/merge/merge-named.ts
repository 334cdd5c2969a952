import { colorUnit, type Decide, mergeFields } from './merge-fields';
import { mergeItems } from './merge-items';
import { mergeOrder } from './merge-order';
import { canonicalText, isSame } from './same-value';

type Sides<Value> = { base: Value; mine: Value; theirs: Value };

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

/**
 * Merges the paragraph styles or the named colors of two versions of a document, by id and property. A conflict's
 * `property` starts with `list`, as in `styles.<id>.font`. If both sides added an item with the same id, only one is
 * kept, because the id identifies the item's purpose, such as `heading`.
 */
export function mergeNamed<Item extends { id: string }>(
  list: 'styles' | 'colors',
  sides: Sides<readonly Item[]>,
  decide: Decide,
): Item[] {
  const [base, mine, theirs] = [idsOf(sides.base), idsOf(sides.mine), idsOf(sides.theirs)];
  const isMineFirst = canonicalText(mine) < canonicalText(theirs);
  const ids = isMineFirst ? mergeOrder(base, mine, theirs) : mergeOrder(base, theirs, mine);
  const location = { list: null, pageId: null, elementId: null };
  return mergeItems(
    sides,
    ids,
    {
      merge: (item) =>
        mergeFields(
          item,
          (key) => (key === 'id' ? null : `${list}.${item.mine.id}.${colorUnit(key)}`),
          location,
          decide,
        ),
      isEdited: (from, to) => !isSame(from, to),
      locationOf: (id) => ({ ...location, property: `${list}.${id}` }),
    },
    decide,
  );
}
