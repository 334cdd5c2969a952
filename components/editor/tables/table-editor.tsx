'use client';

import { type ClipboardEvent, type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { type CellPosition, LABELS, TableView } from '@/components/document/table-view';
import type { Point } from '@/lib/document/bounds';
import { MAX_ROWS, type TableElement } from '@/lib/document/page-model';
import { cellText } from '@/lib/document/table-cells';
import { shownTable } from '@/lib/document/table-flow';
import { keepKey, viewKey } from '../canvas/canvas-keys';
import { type Caret, cellAfter } from '../inspector/cell-moves';
import { leftOut } from '../inspector/table-changes';
import { useDocumentImages, useEditor, useEditorContext } from '../use-editor';
import { cellsInText } from './cells-in-text';
import classes from './tables.module.css';

const textIn = (cell: HTMLElement) =>
  // Browsers add an extra line break when the last line is empty.
  (cell.textContent ?? '').replace(/\n$/, '');

function caretIn(cell: HTMLElement): Caret {
  const value = textIn(cell);
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0) return { value, selectionStart: null, selectionEnd: null };
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  const lengthTo = (node: Node, offset: number) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    range.setEnd(node, offset);
    return range.toString().length;
  };
  return {
    value,
    selectionStart: lengthTo(startContainer, startOffset),
    selectionEnd: lengthTo(endContainer, endOffset),
  };
}

function selectText(cell: HTMLElement | null): void {
  if (!cell) return;
  cell.focus();
  getSelection()?.selectAllChildren(cell);
}

type CellEditorProps = { text: string; label: string };

/**
 * An editable cell, initially with its text selected. The table editor reads the text when the user leaves the cell.
 */
function CellEditor({ text, label }: CellEditorProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a text area would not make its row grow.
    <div
      ref={selectText}
      className={classes.cell}
      contentEditable="plaintext-only"
      suppressContentEditableWarning
      data-cell=""
      role="textbox"
      tabIndex={0}
      aria-multiline="true"
      aria-label={label}
      aria-description="Tab, Enter and the arrow keys move between cells. Escape finishes."
    >
      {text}
    </div>
  );
}

type TableEditorProps = {
  element: TableElement;
  /**
   * The viewport point where editing starts. If it is null or not in a cell, editing starts in the first body cell, or
   * in the first column label if there is no body cell.
   */
  at: Point | null;
  /** Called on Escape and when the focus leaves the table, or immediately if the table shows no cells. */
  onDone: () => void;
};

/** Edits the cells of a table in place. Each cell edit is one undo step. */
export function TableEditor({ element, at, onDone }: TableEditorProps) {
  const { store } = useEditorContext();
  const images = useDocumentImages();
  const pages = useEditor(({ document }) => document.pages);
  const { table, start, isLast } = shownTable(element, pages);
  const { id, columns, header, rows } = table;
  const frame = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<CellPosition | null>(null);
  const [pastes, setPastes] = useState(0);

  const positionOf = (cell: HTMLTableCellElement | null | undefined): CellPosition | null => {
    const row = cell?.closest('tr')?.rowIndex;
    return cell && row !== undefined ? { row: header ? row + LABELS : row, column: cell.cellIndex } : null;
  };
  const firstPosition = () => {
    const cells = [...(frame.current?.querySelectorAll<HTMLTableCellElement>('th, td') ?? [])];
    const isUnder = (cell: Element) => {
      const { left, right, top, bottom } = cell.getBoundingClientRect();
      return at !== null && at.x >= left && at.x < right && at.y >= top && at.y < bottom;
    };
    return positionOf(cells.find(isUnder) ?? cells.find(({ tagName }) => tagName === 'TD') ?? cells[0]);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: choose a cell only on mount.
  useEffect(() => {
    const first = firstPosition();
    if (first) setActive(first);
    else onDone();
  }, []);

  const fill = ({ row, column }: CellPosition, cells: string[][]) => {
    const lost = leftOut(row < 0 ? row : start + row, column, cells);
    store.dispatch({ type: 'cells-filled', id, row, column, cells });
    if (lost) store.dispatch({ type: 'announced', text: lost, refused: true });
  };
  const textAt = ({ row, column }: CellPosition) =>
    row < 0 ? (columns[column]?.label ?? '') : cellText(rows[row]?.[column]);
  const editorOf = () => frame.current?.querySelector<HTMLElement>('[data-cell]') ?? null;
  /** Stores the text of the cell that the user leaves. */
  const leave = () => {
    const cell = editorOf();
    const text = cell && textIn(cell);
    if (active && text !== null && text !== textAt(active)) fill(active, [[text]]);
  };
  const hasCell = ({ row, column }: CellPosition) =>
    row >= (header ? LABELS : 0) && row < rows.length && column >= 0 && column < columns.length;
  const moveTo = (position: CellPosition) => {
    leave();
    setActive(position);
  };

  /** Moves to the next or previous cell in reading order. Moving on from the table's last cell adds a row. */
  const tab = ({ row, column }: CellPosition, by: 1 | -1) => {
    const index = row * columns.length + column + by;
    const next = {
      row: Math.floor(index / columns.length),
      column: (index + columns.length) % columns.length,
    };
    if (hasCell(next)) moveTo(next);
    else if (by === 1 && isLast && start + next.row < MAX_ROWS) {
      moveTo(next);
      fill(next, [['']]);
    }
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
    const cell = editorOf();
    if (viewKey(event) === 'save') leave();
    keepKey(event);
    if (!active || !cell) return;
    if (key === 'Escape') {
      leave();
      onDone();
    } else if (key === 'Tab' && !ctrlKey && !altKey && !metaKey) {
      event.preventDefault();
      tab(active, shiftKey ? -1 : 1);
    } else if (key === 'Enter' && altKey) {
      event.preventDefault();
      document.execCommand('insertLineBreak');
    } else {
      const next = cellAfter(event.nativeEvent, active, caretIn(cell));
      if (!next) return;
      event.preventDefault();
      if (hasCell(next)) moveTo(next);
    }
  };

  const onPaste = (event: ClipboardEvent<HTMLElement>) => {
    event.stopPropagation();
    const text = event.clipboardData.getData('text/plain');
    if (!active || !/[\t\n]/.test(text)) return;
    event.preventDefault();
    fill(active, cellsInText(text));
    setPastes(pastes + 1);
  };

  const onMouseDown = (event: MouseEvent<HTMLElement>) => {
    event.stopPropagation();
    const { target } = event;
    if (target instanceof Element && target.closest('[data-cell]')) return;
    // Keep the browser from moving the focus out of the table before the click.
    event.preventDefault();
    const position =
      target instanceof Element ? positionOf(target.closest<HTMLTableCellElement>('th, td')) : null;
    if (position && (position.row !== active?.row || position.column !== active.column)) moveTo(position);
  };

  const onBlur = () => {
    // The next element receives focus only after this event. Editing continues if the whole window loses focus.
    setTimeout(() => {
      if (frame.current?.contains(document.activeElement) !== false || !document.hasFocus()) return;
      leave();
      onDone();
    });
  };

  const keep = (event: { stopPropagation: () => void }) => event.stopPropagation();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles events from the cells.
    <div
      ref={frame}
      className={classes.editor}
      onBlur={onBlur}
      onKeyDown={onKeyDown}
      onPointerDown={keep}
      onDoubleClick={keep}
      onMouseDown={onMouseDown}
      onCopy={keep}
      onCut={keep}
      onPaste={onPaste}
    >
      <TableView
        element={table}
        images={images}
        renderCell={(text, position) =>
          position.row === active?.row && position.column === active.column ? (
            <CellEditor
              // A paste changes the key. The stored text then replaces what was typed, even if the paste did not
              // change the stored text.
              key={`${pastes} ${text}`}
              text={text}
              label={
                position.row < 0
                  ? `Label of column ${position.column + 1}`
                  : `Row ${position.row + 1}, column ${position.column + 1}`
              }
            />
          ) : (
            text
          )
        }
      />
    </div>
  );
}
