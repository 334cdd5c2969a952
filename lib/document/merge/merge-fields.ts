import { withoutUndefined } from '../without-undefined';
import type { Conflict } from './conflict';
import { isSame } from './same-value';

/** Records a conflict and returns which side to keep. */
export type Decide = (conflict: Conflict) => Conflict['keeps'];
export type Location = Pick<Conflict, 'list' | 'pageId' | 'elementId'>;

/** Maps each field that holds the id of a named color to its color field. */
const colorFields: Readonly<Record<string, string>> = {
  colorId: 'color',
  fillId: 'fill',
  strokeId: 'stroke',
  swatchId: 'swatch',
  lineColorId: 'lineColor',
  headerFillId: 'headerFill',
  backgroundId: 'background',
};

/**
 * Returns the name of a field's unit (see `mergeFields`). A color and the id of its named color form one unit, which
 * has the name of the color field.
 */
export const colorUnit = (key: string): string => colorFields[key] ?? key;

/**
 * Merges objects field by field, taking each value from the side that changed it. If both sides changed it to different
 * values, `decide` chooses. Fields that only make sense together share a unit and are compared as one. `unitOf` returns
 * the name of a field's unit, or null for a field that is merged elsewhere. Returns `mine` itself if the result equals
 * it.
 */
export function mergeFields<Item extends object>(
  { base, mine, theirs }: { base: Item; mine: Item; theirs: Item },
  unitOf: (key: string) => string | null,
  location: Location,
  decide: Decide,
): Item {
  const units = new Map<string, Extract<keyof Item, string>[]>();
  // A field can be missing on one side, so go through the fields of both sides.
  for (const key in { ...mine, ...theirs }) {
    const unit = unitOf(key);
    if (unit !== null) units.set(unit, [...(units.get(unit) ?? []), key]);
  }
  const result = { ...mine };
  let isMine = true;
  for (const [property, keys] of units) {
    const unitValue = (item: Item): unknown => {
      const [only, ...more] = keys;
      return only !== undefined && more.length === 0
        ? item[only]
        : Object.fromEntries(keys.map((key) => [key, item[key]]));
    };
    const [old, own, other] = [unitValue(base), unitValue(mine), unitValue(theirs)];
    if (isSame(own, other) || isSame(old, other)) continue;
    const isConflict = !isSame(old, own);
    const conflict: Conflict = {
      kind: 'property',
      ...location,
      property,
      mine: own,
      theirs: other,
      keeps: 'mine',
    };
    if (isConflict && decide(conflict) === 'mine') continue;
    for (const key of keys) result[key] = theirs[key];
    isMine = false;
  }
  return isMine ? mine : withoutUndefined(result);
}
