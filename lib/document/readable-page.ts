import { type Box, boundsOf, touches } from './bounds';
import type { PageData, PageElement } from './page-model';
import { inReadingOrder } from './reading-order';

/** Returns an area that includes everything that an element paints, such as a stroke that extends beyond the frame. */
function paintedBox(element: PageElement): Box {
  const { left, top, right, bottom } = boundsOf(element);
  const edge = element.type === 'shape' ? element.strokeWidth : 0;
  return { left: left - edge, top: top - edge, right: right + edge, bottom: bottom + edge };
}

/**
 * Returns a page with its elements in reading order, the order in which a PDF is read aloud and copied. The page looks
 * the same, because each element stays above the elements that it covers. Each element gets the lowest `z` for which
 * this holds, so elements that cover no others are painted in reading order too.
 */
export function readablePage(page: PageData): PageData {
  const placed: { id: string; box: Box; z: number }[] = [];
  for (const element of page.elements.toSorted((a, b) => a.z - b.z)) {
    const box = paintedBox(element);
    const below = placed.filter((other) => touches(other.box, box));
    placed.push({ id: element.id, box, z: below.reduce((z, other) => Math.max(z, other.z + 1), 0) });
  }
  const layers = new Map(placed.map(({ id, z }) => [id, z]));
  const elements = page.elements.map((element) => ({ ...element, z: layers.get(element.id) ?? 0 }));
  return { ...page, elements: inReadingOrder(elements) };
}
