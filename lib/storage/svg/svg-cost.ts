import type { SvgElement } from './parse-svg';
import { SvgRefusal } from './svg-refusal';
import { referredIds } from './svg-values';

const MAX_COST = 20_000;
/** Number of characters of path or point data that cost as much as one element. */
const DATA_PER_ELEMENT = 50;
/**
 * The cost of drawing into a separate layer, for each million pixels of the whole drawing, because a mask is as large
 * as the drawing wherever it is used. Measured: a mask takes up to 45 ms of CPU per million pixels, a group with opacity up
 * to 13, so a drawing of `MAX_COST` takes at most 4 s. Clipping needs no layer.
 */
const MASK_COST = 250;
const OPACITY_COST = 50;
const CLIP_COST = 5;

function ownCost({ name, attributes, children }: SvgElement, megapixels: number): number {
  const data = (attributes.get('d') ?? attributes.get('points') ?? '').length;
  const isGroup = children.length > 0 || name === 'use';
  const mask = attributes.has('mask') ? MASK_COST * megapixels : 0;
  const opacity = isGroup && attributes.has('opacity') ? OPACITY_COST * megapixels : 0;
  const clip = attributes.has('clip-path') ? CLIP_COST : 0;
  return 1 + data / DATA_PER_ELEMENT + mask + opacity + clip;
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
 * Throws SvgRefusal if a drawing of this many pixels has circular references or would take too long to draw. Each
 * reference draws its target again, so a few elements can multiply to billions.
 */
export function requireModestCost(root: SvgElement, pixels: number): void {
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
    let cost = ownCost(element, pixels / 1_000_000);
    for (const part of [...element.children, ...targets]) cost += costOf(part);
    if (cost > MAX_COST) throw new SvgRefusal('The SVG is too complex.');
    underWay.delete(element);
    known.set(element, cost);
    return cost;
  };
  costOf(root);
}
