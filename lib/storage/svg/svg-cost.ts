import type { SvgElement } from './parse-svg';
import { SvgRefusal } from './svg-refusal';
import { referredIds } from './svg-values';

const MAX_COST = 20_000;
/** Number of characters of path or point data that cost as much as one element. */
const DATA_PER_ELEMENT = 50;
/** The cost of drawing into a separate layer, relative to the cost of one element. */
const LAYER_COST = 200;

function ownCost({ name, attributes, children }: SvgElement): number {
  const data = (attributes.get('d') ?? attributes.get('points') ?? '').length;
  const isGroup = children.length > 0 || name === 'use';
  const layers =
    Number(isGroup && attributes.has('opacity')) +
    Number(attributes.has('mask')) +
    Number(attributes.has('clip-path'));
  return 1 + data / DATA_PER_ELEMENT + layers * LAYER_COST;
}

function idsOf(root: SvgElement): Map<string, SvgElement> {
  const found = new Map<string, SvgElement>();
  const add = (element: SvgElement) => {
    const id = element.attributes.get('id');
    if (id !== undefined) found.set(id, element);
    element.children.forEach(add);
  };
  add(root);
  return found;
}

/**
 * Throws SvgRefusal if a drawing has circular references or would take too long to draw. Each reference draws its
 * target again, so a few elements can multiply to billions.
 */
export function requireModestCost(root: SvgElement): void {
  const byId = idsOf(root);
  const known = new Map<SvgElement, number>();
  const underWay = new Set<SvgElement>();
  const costOf = (element: SvgElement): number => {
    const before = known.get(element);
    if (before !== undefined) return before;
    if (underWay.has(element)) throw new SvgRefusal('The SVG refers to itself.');
    underWay.add(element);
    const targets = [...element.attributes]
      .flatMap(([name, value]) => referredIds(name, value))
      .flatMap((id) => byId.get(id) ?? []);
    let cost = ownCost(element);
    for (const part of [...element.children, ...targets]) cost += costOf(part);
    if (cost > MAX_COST) throw new SvgRefusal('The SVG is too complex.');
    underWay.delete(element);
    known.set(element, cost);
    return cost;
  };
  costOf(root);
}
