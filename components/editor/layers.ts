import { unitsOf } from '@/lib/document/groups';
import type { PageElement } from '@/lib/document/page-model';

export type LayerMove = 'front' | 'forward' | 'backward' | 'back';

/** Returns the elements of a page in stacking order, bottom first. */
export function inLayers(elements: readonly PageElement[]): PageElement[] {
  return elements
    .map((element, index) => ({ element, index }))
    .sort((a, b) => a.element.z - b.element.z || a.index - b.index)
    .map(({ element }) => element);
}

/** Returns the elements in their original order, with `z` set to each element's index in `layers`. */
function atHeights(elements: readonly PageElement[], layers: readonly PageElement[]): PageElement[] {
  const heights = new Map(layers.map((element, z) => [element.id, z]));
  return elements.map((element) => {
    const z = heights.get(element.id) ?? element.z;
    return z === element.z ? element : { ...element, z };
  });
}

/**
 * Returns a page's units (groups and ungrouped elements) in stacking order, bottom first. A group takes the position of
 * its top element.
 */
export function unitsInLayers(elements: readonly PageElement[]): PageElement[][] {
  return unitsOf(inLayers(elements));
}

/**
 * Restacks the elements in the order of `units`. Changes only `z`, not the order of the array. Returns the same array
 * if nothing moves.
 */
function atUnits(elements: readonly PageElement[], units: readonly PageElement[][]): readonly PageElement[] {
  const layers = inLayers(elements);
  const next = units.flat();
  return next.every((element, index) => element === layers[index]) ? elements : atHeights(elements, next);
}

/**
 * Moves each selected item up by one position, past an item that is not selected. Selected items at the top stay there.
 */
function steppedUp<Item>(layers: readonly Item[], isSelected: (item: Item) => boolean): Item[] {
  const result = [...layers];
  for (let index = result.length - 2; index >= 0; index -= 1) {
    const [lower, upper] = [result[index], result[index + 1]];
    if (!lower || !upper || !isSelected(lower) || isSelected(upper)) continue;
    result[index] = upper;
    result[index + 1] = lower;
  }
  return result;
}

/** Moves the selected items among `layers` as `move` says. The selected items keep their relative order. */
function restacked<Item>(
  layers: readonly Item[],
  isSelected: (item: Item) => boolean,
  move: LayerMove,
): Item[] {
  const moved = layers.filter(isSelected);
  const others = layers.filter((item) => !isSelected(item));
  switch (move) {
    case 'front':
      return [...others, ...moved];
    case 'back':
      return [...moved, ...others];
    case 'forward':
      return steppedUp(layers, isSelected);
    case 'backward':
      return steppedUp(layers.toReversed(), isSelected).toReversed();
  }
}

/**
 * Moves the elements `ids` in the stacking order. Groups move as a whole, with one exception: if `ids` contains only a
 * part of a single group, that part moves within the group. Returns the same array if nothing moves.
 */
export function layered(
  elements: readonly PageElement[],
  ids: ReadonlySet<string>,
  move: LayerMove,
): readonly PageElement[] {
  const units = unitsInLayers(elements);
  const isSelected = ({ id }: PageElement) => ids.has(id);
  const touched = units.filter((unit) => unit.some(isSelected));
  const [only] = touched;
  const isWithin = touched.length === 1 && only !== undefined && !only.every(isSelected);
  return atUnits(
    elements,
    isWithin
      ? units.map((unit) => (unit === only ? restacked(unit, isSelected, move) : unit))
      : restacked(units, (unit) => unit.some(isSelected), move),
  );
}

/** Moves the unit that contains the element `id` to an index in the stacking order, where 0 is the bottom. */
export function movedToLayer(
  elements: readonly PageElement[],
  id: string,
  to: number,
): readonly PageElement[] {
  const units = unitsInLayers(elements);
  const from = units.findIndex((unit) => unit.some((element) => element.id === id));
  const unit = units[from];
  if (!unit || from === to) return elements;
  return atUnits(elements, units.toSpliced(from, 1).toSpliced(to, 0, unit));
}

/** Moves elements directly below the topmost of them, so that nothing lies between them. */
export function gathered(elements: readonly PageElement[], ids: ReadonlySet<string>): readonly PageElement[] {
  const layers = inLayers(elements);
  const isMoved = ({ id }: PageElement) => ids.has(id);
  const top = layers.findLastIndex(isMoved);
  return atUnits(elements, [
    layers.slice(0, top).filter((element) => !isMoved(element)),
    layers.filter(isMoved),
    layers.slice(top + 1),
  ]);
}

/** Adds elements on top of the existing ones, in the given order. */
export function onTop(elements: readonly PageElement[], added: readonly PageElement[]): PageElement[] {
  return atHeights([...elements, ...added], [...inLayers(elements), ...added]);
}
