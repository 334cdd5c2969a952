import { boundsOf } from '@/lib/document/bounds';
import { SWATCH_PART } from '@/lib/document/image-uses';
import { imageKey, type PageElement } from '@/lib/document/page-model';
import type { ExportWarning } from '@/lib/document/schema';
import { edgesOfSheet, type SheetPlan, type SheetSize } from '@/lib/document/sheets';
import { tilesOf } from '@/lib/document/true-scale';

/** Tolerance in millimeters when an element's position is compared with the edge of the page or of the bleed. */
const EDGE_TOLERANCE_MM = 0.5;

/**
 * Returns a warning if an element is partly or wholly outside of its page, otherwise null. Images and shapes may extend
 * beyond the edge on purpose (a full bleed), so they get a warning only if they are wholly outside.
 */
function offPage(element: PageElement, { width, height }: SheetSize): string | null {
  const { left, top, right, bottom } = boundsOf(element);
  if (left >= width || top >= height || right <= 0 || bottom <= 0) {
    return 'The element is outside of the page and is not printed.';
  }
  if (element.type === 'image' || element.type === 'shape') return null;
  const beyond = Math.max(-left, -top, right - width, bottom - height);
  return beyond > EDGE_TOLERANCE_MM
    ? 'A part of the element is outside of the page and is not printed.'
    : null;
}

/**
 * Returns a warning if an image or a filled shape ends at an edge of the page instead of extending over the bleed,
 * because trimming can then leave a white line. Otherwise returns null. Ignores edges of the page that are not edges of
 * the sheet.
 */
function endsAtEdge(element: PageElement, { pages, edge: { bleed } }: SheetPlan): string | null {
  const isArea = element.type === 'image' || (element.type === 'shape' && element.fill !== null);
  if (bleed === 0 || !isArea) return null;
  const { scale, size } = pages;
  const { across, down } = edgesOfSheet(pages);
  const { left, top, right, bottom } = boundsOf(element);
  const beyond = [
    ...(across ? [-left, right - size.width] : []),
    ...(down ? [-top, bottom - size.height] : []),
  ];
  const ends = beyond.some((by) => by > -EDGE_TOLERANCE_MM && by * scale < bleed - EDGE_TOLERANCE_MM);
  if (!ends) return null;
  const far = Math.ceil((bleed / scale) * 10) / 10;
  return `Trimming can leave a white line. Extend the element ${far} mm beyond the page.`;
}

/**
 * Returns why a material is not printed at the scale in `trueScale`. Returns null if it is printed at that scale, or if
 * the element is not a material with an image and a `trueScale`.
 */
function offScale(element: PageElement, pageScale: number): string | null {
  if (element.type !== 'material' || !element.trueScale || imageKey(element) === null) return null;
  const { trueScale, w: width, h: height } = element;
  if (tilesOf({ width, height: height * SWATCH_PART }, trueScale) === null) {
    return 'The frame is too large to fill with the material at its scale.';
  }
  if (Math.abs(pageScale - 1) < 0.001) return null;
  return `The page is scaled to ${Math.round(pageScale * 100)}% of its size, so the material is not at 1:${trueScale.ratio}.`;
}

/**
 * Returns warnings for the elements on page sheets, including the elements of masters. Warns about elements outside of
 * the page, elements that end at the edge of the page although there is a bleed, materials that are not printed at the
 * scale in `trueScale`, and image frames without an image.
 */
export function layoutWarnings(plan: SheetPlan): ExportWarning[] {
  const { sheets, pages } = plan;
  return sheets.flatMap((sheet) => {
    if (sheet.kind !== 'page') return [];
    const layers = sheet.master ? [sheet.master, sheet.page] : [sheet.page];
    const placed = layers.flatMap(({ id, elements }) => elements.map((element) => ({ id, element })));
    return placed.flatMap(({ id, element }): ExportWarning[] => {
      const location = { pageId: id, elementId: element.id };
      const outside = offPage(element, pages.size);
      const short = endsAtEdge(element, plan);
      const scaled = offScale(element, pages.scale);
      const isEmpty = element.type === 'image' && imageKey(element) === null;
      const empty = 'The image frame is empty; nothing is printed in its place.';
      return [
        ...(outside ? [{ code: 'off_page' as const, ...location, message: outside }] : []),
        ...(short && !outside ? [{ code: 'no_bleed' as const, ...location, message: short }] : []),
        ...(scaled ? [{ code: 'not_to_scale' as const, ...location, message: scaled }] : []),
        ...(isEmpty ? [{ code: 'image_missing' as const, ...location, message: empty }] : []),
      ];
    });
  });
}
