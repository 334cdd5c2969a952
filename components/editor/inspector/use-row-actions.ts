'use client';

import { type ClipboardEvent, useMemo } from 'react';
import type { TableElement } from '@/lib/document/page-model';
import { withCellText } from '@/lib/document/table-cells';
import type { ElementPatch } from '../change-elements';
import { openPage } from '../editor-change';
import { cellsInText } from '../tables/cells-in-text';
import { useEditorContext } from '../use-editor';
import { cutMessage, leftOut, MAX_CELL, withCell, withPasted } from './table-changes';
import { fieldGroup } from './use-element-fields';

/**
 * Returns the actions of a table's rows. Each action reads the current cells when it runs. The functions therefore stay
 * the same across renders, and only changed rows re-render.
 */
export function useRowActions(id: string) {
  const { store } = useEditorContext();
  return useMemo(() => {
    const settle = () => store.dispatch({ type: 'settled' });
    const notify = (text: string) => store.dispatch({ type: 'announced', text, refused: true });
    const change = (patchOf: (table: TableElement) => ElementPatch) => {
      const table = openPage(store.get())?.elements.find((element) => element.id === id);
      if (table?.type !== 'table') return;
      const patch = patchOf(table);
      store.dispatch({ type: 'elements-changed', ids: [id], patch, group: fieldGroup(patch, [id]) });
    };
    return {
      cell: (row: number, column: number, text: string) =>
        change((table) => withCell(table, row, column, withCellText(table.rows[row]?.[column], text))),
      paste: (row: number, column: number, event: ClipboardEvent<HTMLInputElement>) => {
        const text = event.clipboardData.getData('text/plain');
        if (!/[\t\n]/.test(text)) {
          // The input itself truncates the text at its `maxLength`, but without a message, so report the truncation.
          const { value, selectionStart, selectionEnd } = event.currentTarget;
          const replaced = (selectionEnd ?? 0) - (selectionStart ?? 0);
          if (value.length - replaced + text.length > MAX_CELL) notify(cutMessage(1));
          return;
        }
        event.preventDefault();
        settle();
        const cells = cellsInText(text);
        // Before the change, report the content that does not fit. If the change is then refused, the message about the
        // refusal replaces this report.
        const without = leftOut(row, column, cells);
        if (without) notify(without);
        change((table) => withPasted(table, row, column, cells));
        settle();
      },
      remove: (row: number) => {
        settle();
        change(({ rows }) => ({ rows: rows.toSpliced(row, 1) }));
      },
    };
  }, [store, id]);
}
