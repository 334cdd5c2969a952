import type { ExportOptions } from './schema';
import type { SheetPlan, SheetSize } from './sheets';

/** What is printed around a sheet, which a printer cuts off. */
export type SheetEdge = Pick<ExportOptions, 'bleed' | 'cropMarks'>;

/** The length of crop marks, and their minimum distance from the sheet, in millimeters. */
const MARK_LENGTH = 5;
const MARK_DISTANCE = 3;

/** Returns the distance of crop marks from the sheet, which keeps them out of the bleed, in millimeters. */
export function markDistance({ bleed }: Pick<SheetEdge, 'bleed'>): number {
  return Math.max(bleed, MARK_DISTANCE);
}

/** Returns the distance between the edges of the paper and of the sheet in millimeters. */
export function edgeWidth(edge: SheetEdge): number {
  return edge.cropMarks ? markDistance(edge) + MARK_LENGTH : edge.bleed;
}

/** Returns the size of the paper in millimeters: that of the sheets, with the edge around them. */
export function paperSize({ size, edge }: Pick<SheetPlan, 'size' | 'edge'>): SheetSize {
  const both = 2 * edgeWidth(edge);
  return { width: size.width + both, height: size.height + both };
}
