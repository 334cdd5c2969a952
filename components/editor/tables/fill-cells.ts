import type { CellPosition } from '@/components/document/table-view';
import { rowsShownBy } from '@/lib/document/table-flow';
import { changeElements } from '../change-elements';
import { type Change, type EditorSnapshot, openPage } from '../editor-change';
import { withPasted, withPastedLabels } from '../inspector/table-changes';

/**
 * Fills cells of a table on the open page, continuing right and down from one cell. The table grows up to its limits.
 * `row` is the index among the rows that the page shows; -1 is the row of the column labels.
 */
export function fillCells(
  snapshot: EditorSnapshot,
  { id, row, column, cells }: CellPosition & { id: string; cells: string[][] },
): Change {
  const table = openPage(snapshot)?.elements.find((element) => element.id === id);
  if (table?.type !== 'table') return null;
  // The table is locked, so `changeElements` returns the refusal.
  if (table.locked) return changeElements(snapshot, [id], { rows: table.rows });
  const shown = rowsShownBy(table, snapshot.document.pages);
  // All cells of a table that spans pages are in the element where the table starts.
  const head = shown?.flow.head ?? { pageId: snapshot.pageId, element: table };
  const { columns, rows } = head.element;
  const next =
    row < 0
      ? withPastedLabels({ columns, rows }, column, cells)
      : withPasted({ columns, rows }, (shown?.start ?? 0) + row, column, cells);
  return changeElements({ ...snapshot, pageId: head.pageId }, [head.element.id], next);
}
