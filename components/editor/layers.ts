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

/** Moves each element in `ids` above the next element that is not in `ids`. Elements already on top do not move. */
function steppedUp(layers: readonly PageElement[], ids: ReadonlySet<string>): PageElement[] {
  const result = [...layers];
  for (let index = result.length - 2; index >= 0; index -= 1) {
    const [lower, upper] = [result[index], result[index + 1]];
    if (!lower || !upper || !ids.has(lower.id) || ids.has(upper.id)) continue;
    result[index] = upper;
    result[index + 1] = lower;
  }
  return result;
}

/** Moves elements in the layers, keeping their relative order. Returns the same array when nothing moves. */
export function layered(
  elements: readonly PageElement[],
  ids: ReadonlySet<string>,
  move: LayerMove,
): readonly PageElement[] {
  const layers = inLayers(elements);
  const moved = layers.filter((element) => ids.has(element.id));
  const others = layers.filter((element) => !ids.has(element.id));
  const next = {
    front: () => [...others, ...moved],
    back: () => [...moved, ...others],
    forward: () => steppedUp(layers, ids),
    backward: () => steppedUp(layers.toReversed(), ids).toReversed(),
  }[move]();
  return next.every((element, index) => element === layers[index]) ? elements : atHeights(elements, next);
}

/** Moves one element to an index in the layers, where 0 is the bottom. */
export function movedToLayer(
  elements: readonly PageElement[],
  id: string,
  to: number,
): readonly PageElement[] {
  const layers = inLayers(elements);
  const from = layers.findIndex((element) => element.id === id);
  const element = layers[from];
  if (!element || from === to) return elements;
  const others = layers.filter((other) => other !== element);
  return atHeights(elements, others.toSpliced(to, 0, element));
}

/** Adds elements on top of the existing ones, in the given order. */
export function onTop(elements: readonly PageElement[], added: readonly PageElement[]): PageElement[] {
  return atHeights([...elements, ...added], [...inLayers(elements), ...added]);
}
