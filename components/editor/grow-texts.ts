import type { PageElement } from '@/lib/document/page-model';
import { sheetSize } from '@/lib/document/sheets';
import { type EditorDocument, type EditorSnapshot, openPage, withElements } from './editor-change';
import { boundedFrame, rotateVector } from './geometry/frames';
import { resized } from './geometry/resize';

/**
 * Enlarges the unlocked text elements of the open page or master that have `grows` set, so that their content fits.
 * `heights` holds the heights in millimeters that the contents need, by element id. The upper edge stays in place, and
 * an element that is not rotated does not grow beyond the lower edge of the page.
 */
export function growTexts(
  snapshot: EditorSnapshot,
  heights: Readonly<Record<string, number>>,
): EditorDocument {
  const page = openPage(snapshot);
  if (!page) return snapshot.document;
  const { height: paper } = sheetSize(snapshot.document);
  const grown = (element: PageElement): PageElement => {
    const needed = heights[element.id];
    if (element.type !== 'text' || !element.grows || element.locked || needed === undefined) return element;
    const { x, y, w, h, rotation } = element;
    const by = (rotation === 0 ? Math.min(needed, paper - y) : needed) - h;
    if (by <= 0) return element;
    const pull = rotateVector({ x: 0, y: by }, rotation);
    const options = { keepAspect: false, fromMiddle: false };
    return { ...element, ...boundedFrame(resized({ x, y, w, h, rotation }, 'bottom', pull, options)) };
  };
  const elements = page.elements.map(grown);
  const isSame = elements.every((element, index) => element === page.elements[index]);
  return isSame ? snapshot.document : withElements(snapshot, elements);
}
