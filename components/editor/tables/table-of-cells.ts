import type { TableElement } from '@/lib/document/page-model';
import type { SheetSize } from '@/lib/document/sheets';
import { labelOf, leftOut, MAX_COLUMNS, MAX_LABEL, withPasted } from '../inspector/table-changes';
import { newTable } from '../new-elements';

/** Estimated height of a table row in millimeters. */
const ROW = 6.5;

type Content = Pick<TableElement, 'columns' | 'rows' | 'header'>;
/** The table made from cells, and a message about the cells that are left out, or null if there are none. */
type FromCells<Result> = { element: Result; leftOut: string | null };

/**
 * Returns cells as the content of a table. The first row becomes the header if there are more rows and none of its
 * cells is empty or too long for a label. The columns keep the widths and alignments of `previousColumns`.
 */
function contentOf(cells: string[][], previousColumns: TableElement['columns']): FromCells<Content> {
  const [first = [], ...others] = cells;
  const heads = first.slice(0, MAX_COLUMNS);
  const hasHead = others.length > 0 && heads.every((cell) => cell.trim() !== '' && cell.length <= MAX_LABEL);
  const columns = (heads.length > 0 ? heads : ['']).map((cell, index) => ({
    ...(previousColumns[index] ?? { width: 1, align: 'left' as const }),
    label: hasHead ? labelOf(cell) : '',
  }));
  const body = hasHead ? others : cells;
  return {
    element: { ...withPasted({ columns, rows: [] }, 0, 0, body), header: hasHead },
    leftOut: leftOut(0, 0, body),
  };
}

/** Makes a table in the middle of a page from cells. */
export function tableOfCells(page: SheetSize, cells: string[][]): FromCells<TableElement> {
  const { element: content, leftOut } = contentOf(cells, []);
  const table = newTable(page);
  const rows = content.rows.length + (content.header ? 1 : 0);
  const h = Math.min(Math.max(rows * ROW, ROW), page.height - table.y);
  return { element: { ...table, ...content, h }, leftOut };
}

/** Returns the content of a table replaced by cells. */
export function tableWithCells(table: TableElement, cells: string[][]): FromCells<Content> {
  return contentOf(cells, table.columns);
}
