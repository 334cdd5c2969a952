import { boundsOf } from '@/lib/document/bounds';
import { imageKey, type PageElement } from '@/lib/document/page-model';
import type { ExportWarning } from '@/lib/document/schema';
import type { SheetPlan, SheetSize } from '@/lib/document/sheets';

/** In millimeters. Elements that extend less than this beyond an edge are not reported, because it is not noticeable. */
const UNNOTICED_MM = 0.5;

/**
 * Returns why an element is not printed completely, or null if it is. Images and shapes may extend beyond the edge on
 * purpose (a full bleed).
 */
function offPage(element: PageElement, { width, height }: SheetSize): string | null {
  const { left, top, right, bottom } = boundsOf(element);
  if (left >= width || top >= height || right <= 0 || bottom <= 0) {
    return 'The element is outside of the page and is not printed.';
  }
  if (element.type === 'image' || element.type === 'shape') return null;
  const beyond = Math.max(-left, -top, right - width, bottom - height);
  return beyond > UNNOTICED_MM ? 'A part of the element is outside of the page and is not printed.' : null;
}

/** Returns warnings for elements outside of their pages and for image frames without an image. */
export function layoutWarnings({ sheets, pages }: SheetPlan): ExportWarning[] {
  return sheets.flatMap((sheet) => {
    if (sheet.kind !== 'page') return [];
    const layers = sheet.master ? [sheet.master, sheet.page] : [sheet.page];
    const placed = layers.flatMap(({ id, elements }) => elements.map((element) => ({ id, element })));
    return placed.flatMap(({ id, element }): ExportWarning[] => {
      const place = { pageId: id, elementId: element.id };
      const outside = offPage(element, pages.size);
      const isEmpty = element.type === 'image' && imageKey(element) === null;
      const empty = 'The image frame is empty; nothing is printed in its place.';
      return [
        ...(outside ? [{ code: 'off_page' as const, ...place, message: outside }] : []),
        ...(isEmpty ? [{ code: 'image_missing' as const, ...place, message: empty }] : []),
      ];
    });
  });
}
