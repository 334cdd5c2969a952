import type { PageElement } from '@/lib/export/document/page-model';

export type LayerMove = 'front' | 'forward' | 'backward' | 'back';

/** The elements of a page as they lie upon each other, the lowest first. */
export function inLayers(elements: readonly PageElement[]): PageElement[] {
  return elements
    .map((element, index) => ({ element, index }))
    .sort((a, b) => a.element.z - b.element.z || a.index - b.index)
    .map(({ element }) => element);
}

/** The same elements in their own order, at the heights that `layers` gives them. */
function atHeights(elements: readonly PageElement[], layers: readonly PageElement[]): PageElement[] {
  const heights = new Map(layers.map((element, z) => [element.id, z]));
  return elements.map((element) => {
    const z = heights.get(element.id) ?? element.z;
    return z === element.z ? element : { ...element, z };
  });
}

/** Each of `ids` passes its next neighbour that is not one of them; those at the end stay. */
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

/** Moves elements through the layers; among themselves they keep their order. The same array when nothing moves. */
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

/** Puts one element at a place of the layers, counted from the lowest. */
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

/** Puts further elements on top of those that are there, in the order given. */
export function onTop(elements: readonly PageElement[], added: readonly PageElement[]): PageElement[] {
  return atHeights([...elements, ...added], [...inLayers(elements), ...added]);
}
