import type { CellPosition } from '@/components/document/table-view';
import type { TableElement } from '@/lib/document/page-model';
import { rowsShownBy } from '@/lib/document/table-flow';
import { changeElements, type ElementPatch } from '../change-elements';
import { type Change, type EditorSnapshot, openPage } from '../editor-change';
import { withPasted, withPastedLabels } from '../inspector/table-changes';
import type { TableContent } from './table-of-cells';

/**
 * Changes the cells of a table on the open page. If the table spans pages, its first element, the head, holds all
 * cells. In that case, the change applies to the head, even if the head is on another page. `patchOf` receives the
 * head, or the table itself if it does not span pages, and the index of the first row that the open page shows.
 */
function changeCells(
  snapshot: EditorSnapshot,
  id: string,
  patchOf: (head: TableElement, start: number) => ElementPatch,
): Change {
  const table = openPage(snapshot)?.elements.find((element) => element.id === id);
  if (table?.type !== 'table') return null;
  // The table is locked, so `changeElements` returns the refusal.
  if (table.locked) return changeElements(snapshot, [id], { rows: table.rows });
  const shown = rowsShownBy(table, snapshot.document.pages);
  const { pageId, element } = shown?.flow.head ?? { pageId: snapshot.pageId, element: table };
  return changeElements({ ...snapshot, pageId }, [element.id], patchOf(element, shown?.start ?? 0));
}

/**
 * Writes `cells` into a table on the open page. The first cell goes to `row` and `column`, and the others go to the
 * right of it and below it. If necessary, the table grows, up to its limits. `row` counts only the rows that the
 * page shows; -1 is the row of column labels.
 */
export function fillCells(
  snapshot: EditorSnapshot,
  { id, row, column, cells }: CellPosition & { id: string; cells: string[][] },
): Change {
  return changeCells(snapshot, id, ({ columns, rows }, start) =>
    row < 0
      ? withPastedLabels({ columns, rows }, column, cells)
      : withPasted({ columns, rows }, start + row, column, cells),
  );
}

/** Replaces all cells of a table on the open page, including those that other pages show. */
export function replaceCells(snapshot: EditorSnapshot, id: string, content: TableContent): Change {
  return changeCells(snapshot, id, () => content);
}
