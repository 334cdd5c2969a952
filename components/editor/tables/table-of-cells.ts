import { LABELS } from '@/components/document/table-view';
import type { TableElement } from '@/lib/document/page-model';
import type { SheetSize } from '@/lib/document/sheets';
import { columnLabelOf, leftOut, MAX_COLUMNS, MAX_LABEL, withPasted } from '../inspector/table-changes';
import { newTable } from '../new-elements';

/**
 * The height of a one-line row in a new table, in millimeters: 9 pt text at a line height of 1.3, the cell padding
 * above and below, and the row's border, which a screen draws one pixel wide.
 */
const ROW = 6.8;

/** The fields of a table that hold its cells. */
export type TableContent = Pick<TableElement, 'columns' | 'rows' | 'header'>;
/**
 * A table or its content, made from cells. `leftOut` is a message about rows and columns that were left out and text
 * that was cut off, or null if nothing is missing.
 */
type FromCells<Result> = { element: Result; leftOut: string | null };

/**
 * Returns cells as the content of a table. The first row becomes the header if other rows follow it and none of its
 * cells is empty or too long for a label. The columns keep the widths and alignments of `previousColumns`.
 */
function contentOf(cells: string[][], previousColumns: TableElement['columns']): FromCells<TableContent> {
  const [first = [], ...others] = cells;
  const heads = first.slice(0, MAX_COLUMNS);
  const hasHead = others.length > 0 && heads.every((cell) => cell.trim() !== '' && cell.length <= MAX_LABEL);
  const columns = (heads.length > 0 ? heads : ['']).map((cell, index) => ({
    ...(previousColumns[index] ?? { width: 1, align: 'left' as const }),
    label: hasHead ? columnLabelOf(cell) : '',
  }));
  const body = hasHead ? others : cells;
  return {
    element: { ...withPasted({ columns, rows: [] }, 0, 0, body), header: hasHead },
    leftOut: leftOut(hasHead ? LABELS : 0, 0, cells),
  };
}

/** Creates a table from cells, centered horizontally on the page. */
export function tableOfCells(page: SheetSize, cells: string[][]): FromCells<TableElement> {
  const { element: content, leftOut } = contentOf(cells, []);
  const table = newTable(page);
  const rows = content.rows.length + (content.header ? 1 : 0);
  const h = Math.min(Math.max(rows * ROW, ROW), page.height - table.y);
  return { element: { ...table, ...content, h }, leftOut };
}

/** Returns cells as new content for a table. The columns keep their widths and alignments. */
export function tableWithCells(table: TableElement, cells: string[][]): FromCells<TableContent> {
  return contentOf(cells, table.columns);
}
