import type { PictureCell, TableCell, TableElement } from './page-model';

/** Sum of the left and right padding of a cell in millimeters, as in the style sheet. */
const PADDING_MM = 3.2;

/** Returns the text of a cell, or '' if there is no cell. */
export function cellText(cell: TableCell | undefined): string {
  return typeof cell === 'string' ? cell : (cell?.text ?? '');
}

/** Returns a cell with new text and its current image, if any. */
export function withCellText(cell: TableCell | undefined, text: string): TableCell {
  return typeof cell === 'object' ? { ...cell, text } : text;
}

/** Returns the cell if it has an image, or null. */
export function pictureOf(cell: TableCell | undefined): PictureCell | null {
  return typeof cell === 'object' && (cell.imageId ?? cell.path) !== null ? cell : null;
}

/** Returns the width in millimeters that is available to the content of a column's cells. */
export function contentWidth({ w, columns }: Pick<TableElement, 'w' | 'columns'>, column: number): number {
  const total = columns.reduce((sum, { width }) => sum + width, 0);
  return Math.max(((columns[column]?.width ?? 0) / total) * w - PADDING_MM, 0.1);
}
