import { describeError } from '@/components/feedback/describe-error';
import { countOf } from '@/components/format/count';
import type { SheetSize } from '@/lib/document/sheets';
import { shownTable } from '@/lib/document/table-flow';
import { openPage } from '../editor-change';
import type { EditorStore } from '../editor-store';
import { cellsInFile } from './cells-in-file';
import { tableOfCells, tableWithCells } from './table-of-cells';

/** Calls `add` with the cells of a file. Announces the message that `add` returns, or why the file cannot be read. */
async function withCellsOf(
  store: EditorStore,
  file: File,
  add: (cells: string[][]) => string | null,
): Promise<void> {
  const notify = (text: string) => store.dispatch({ type: 'announced', text, refused: true });
  try {
    const leftOut = add(await cellsInFile(file));
    if (leftOut) notify(leftOut);
  } catch (error) {
    notify(describeError(error));
  }
}

/** Adds a table with the cells of a CSV or TSV file to the page or master that is open at the time of the call. */
export function addTableFile(store: EditorStore, size: SheetSize, file: File): Promise<void> {
  const { pageId, sheet } = store.get();
  return withCellsOf(store, file, (cells) => {
    const { element, leftOut } = tableOfCells(size, cells);
    store.dispatch({ type: 'elements-added', elements: [element], to: { pageId, sheet } });
    return leftOut;
  });
}

/**
 * Replaces the cells of a table on the open page with the cells of a CSV or TSV file. If the table spans pages, replaces
 * all its cells, no matter which of its pages is open.
 */
export function fillTableFromFile(store: EditorStore, id: string, file: File): Promise<void> {
  return withCellsOf(store, file, (cells) => {
    const table = openPage(store.get())?.elements.find((element) => element.id === id);
    // While the file was being read, the table may have been deleted, or the user may have opened another page.
    if (table?.type !== 'table') return null;
    const { document, revision } = store.get();
    const { element: content, leftOut } = tableWithCells(shownTable(table, document.pages).table, cells);
    store.dispatch({ type: 'cells-replaced', id, content });
    // If the revision is unchanged, the editor refused the change (the table may be locked) and announced the reason.
    if (store.get().revision === revision) return null;
    const text = `The table now has ${countOf(content.rows.length, 'row')} from ${file.name}.`;
    store.dispatch({ type: 'announced', text });
    return leftOut;
  });
}
