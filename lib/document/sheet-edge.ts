import type { ExportOptions } from './schema';
import type { SheetPlan, SheetSize } from './sheets';

/** What the print shop trims off around a sheet: the bleed, in millimeters, and the crop marks. */
export type SheetEdge = Pick<ExportOptions, 'bleed' | 'cropMarks'>;

/** The length of crop marks in millimeters. */
const MARK_LENGTH = 5;
/** The minimum distance of crop marks from the sheet in millimeters. */
const MARK_DISTANCE = 3;

/**
 * Returns the distance in millimeters between crop marks and the sheet. The distance is at least the width of the
 * bleed, so that the marks stay outside the bleed.
 */
export function markDistance({ bleed }: Pick<SheetEdge, 'bleed'>): number {
  return Math.max(bleed, MARK_DISTANCE);
}

/** Returns the distance in millimeters between the edge of the paper and the edge of the sheet. */
export function edgeWidth(edge: SheetEdge): number {
  return edge.cropMarks ? markDistance(edge) + MARK_LENGTH : edge.bleed;
}

/** Returns the paper size in millimeters: the size of a sheet plus the edge around it. */
export function paperSize({ size, edge }: Pick<SheetPlan, 'size' | 'edge'>): SheetSize {
  const both = 2 * edgeWidth(edge);
  return { width: size.width + both, height: size.height + both };
}
