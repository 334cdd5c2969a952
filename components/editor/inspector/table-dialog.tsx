'use client';

import { ActionIcon, Button, Group, Modal, NativeSelect, NumberInput, Text } from '@mantine/core';
import { IconPhoto, IconTrash } from '@tabler/icons-react';
import { type ClipboardEvent, type KeyboardEvent, memo, useState } from 'react';
import { type CellPosition, LABELS } from '@/components/document/table-view';
import { MAX_ROWS, type TableCell, type TableElement } from '@/lib/document/page-model';
import { cellText, pictureOf } from '@/lib/document/table-cells';
import { cellsInText } from '../tables/cells-in-text';
import { PictureFields } from '../tables/picture-fields';
import { useEditorDispatch } from '../use-editor';
import { cellAfter } from './cell-moves';
import classes from './inspector.module.css';
import {
  leftOut,
  MAX_CELL,
  MAX_COLUMNS,
  MAX_LABEL,
  withCell,
  withColumn,
  withoutColumn,
  withPastedLabels,
  withRow,
  withRowMoved,
} from './table-changes';
import { useElementFields } from './use-element-fields';
import { useRowActions } from './use-row-actions';

/** Moves the focus to the cell that Enter or an arrow key leads to, if there is one; see `cellAfter`. */
function onCellKey(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget } = event;
  if (!(target instanceof HTMLInputElement) || target.dataset.row === undefined) return;
  const from = { row: Number(target.dataset.row), column: Number(target.dataset.column) };
  const next = cellAfter(event.nativeEvent, from, target);
  const cell =
    next &&
    currentTarget.querySelector<HTMLInputElement>(`[data-row="${next.row}"][data-column="${next.column}"]`);
  if (!cell) return;
  event.preventDefault();
  cell.focus();
  cell.select();
}

type RowProps = {
  cells: readonly TableCell[];
  index: number;
  onCell: (row: number, column: number, text: string) => void;
  onPaste: (row: number, column: number, event: ClipboardEvent<HTMLInputElement>) => void;
  onRemove: (row: number) => void;
};

const Row = memo(function Row({ cells, index, onCell, onPaste, onRemove }: RowProps) {
  return (
    <tr>
      <th scope="row">{index + 1}</th>
      {cells.map((cell, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cells have no ids.
        <td key={column}>
          <input
            className={classes.cell}
            aria-label={`Row ${index + 1}, column ${column + 1}`}
            value={cellText(cell)}
            data-row={index}
            data-column={column}
            maxLength={MAX_CELL}
            onChange={(event) => onCell(index, column, event.currentTarget.value)}
            onPaste={(event) => onPaste(index, column, event)}
          />
          {pictureOf(cell) && <IconPhoto size={16} stroke={1.6} role="img" aria-label="Has an image" />}
        </td>
      ))}
      <td>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Remove row ${index + 1}`}
          onClick={() => onRemove(index)}
        >
          <IconTrash size={16} stroke={1.6} />
        </ActionIcon>
      </td>
    </tr>
  );
});

type TableDialogProps = { element: TableElement; opened: boolean; onClose: () => void };

/** Dialog that edits the columns and cells of a table. Accepts cells pasted from a spreadsheet. */
export function TableDialog({ element, opened, onClose }: TableDialogProps) {
  const { change } = useElementFields([element]);
  const dispatch = useEditorDispatch();
  const { columns, rows } = element;
  const [focused, setFocused] = useState<CellPosition | null>(null);
  // When a column label has the focus, the row actions apply to the first row.
  const focusedRow = Math.max(0, focused?.row ?? 0);
  const row = focused !== null && focusedRow < rows.length ? focusedRow : null;
  const position =
    focused !== null && focused.row >= 0 && rows[focused.row]?.[focused.column] !== undefined
      ? focused
      : null;
  const settle = () => dispatch({ type: 'settled' });
  const notify = (text: string) => dispatch({ type: 'announced', text, refused: true });
  const on = useRowActions(element.id);
  const pasteLabels = (column: number, event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text/plain');
    if (!/[\t\n]/.test(text)) return;
    event.preventDefault();
    settle();
    const cells = cellsInText(text);
    // The first pasted line becomes the column labels and does not count as a row.
    const without = leftOut(LABELS, column, cells);
    if (without) notify(without);
    change(withPastedLabels(element, column, cells));
    settle();
  };
  const moveRow = (by: 1 | -1) => {
    if (row === null) return;
    settle();
    change(withRowMoved(element, row, row + by));
    settle();
    const to = Math.min(Math.max(row + by, 0), rows.length - 1);
    setFocused({ row: to, column: focused?.column ?? 0 });
  };
  const insertRow = (at?: number) => {
    settle();
    change(withRow(element, at));
    settle();
  };
  const setColumn = (index: number, patch: Partial<TableElement['columns'][number]>) =>
    change({ columns: columns.map((column, at) => (at === index ? { ...column, ...patch } : column)) });
  return (
    <Modal
      opened={opened}
      onClose={() => {
        settle();
        onClose();
      }}
      size="auto"
      title="Edit cells"
    >
      <Text size="sm" c="dimmed" mb="sm">
        You can paste cells from a spreadsheet. Enter and the arrow keys move between cells.
      </Text>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only handles events from the controls in the table. */}
      <div
        className={classes.cells}
        onBlur={settle}
        onKeyDown={onCellKey}
        onFocus={({ target }) => {
          if (target instanceof HTMLInputElement && target.dataset.row !== undefined)
            setFocused({ row: Number(target.dataset.row), column: Number(target.dataset.column) });
        }}
      >
        <table>
          <thead>
            <tr>
              <td />
              {columns.map((column, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no ids.
                <th key={index} scope="col">
                  <input
                    className={classes.cell}
                    aria-label={`Label of column ${index + 1}`}
                    value={column.label}
                    data-row={LABELS}
                    data-column={index}
                    maxLength={MAX_LABEL}
                    onPaste={(event) => pasteLabels(index, event)}
                    onChange={(event) => setColumn(index, { label: event.currentTarget.value })}
                  />
                  <Group gap={4} wrap="nowrap" mt={4}>
                    <NumberInput
                      size="xs"
                      aria-label={`Relative width of column ${index + 1}`}
                      w={64}
                      value={column.width}
                      min={0.1}
                      max={100}
                      step={0.5}
                      decimalScale={1}
                      onChange={(width) => {
                        if (typeof width === 'number' && width >= 0.1 && width <= 100)
                          setColumn(index, { width });
                      }}
                    />
                    <NativeSelect
                      size="xs"
                      aria-label={`Alignment of column ${index + 1}`}
                      value={column.align}
                      data={['left', 'center', 'right', 'justify']}
                      onChange={(event) =>
                        setColumn(index, { align: event.currentTarget.value as typeof column.align })
                      }
                    />
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Remove column ${index + 1}`}
                      disabled={columns.length === 1}
                      onClick={() => change(withoutColumn(element, index))}
                    >
                      <IconTrash size={16} stroke={1.6} />
                    </ActionIcon>
                  </Group>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, index) => (
              <Row
                // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids.
                key={index}
                cells={cells}
                index={index}
                onCell={on.cell}
                onPaste={on.paste}
                onRemove={on.remove}
              />
            ))}
          </tbody>
        </table>
      </div>
      {position && (
        <PictureFields
          key={`${position.row} ${position.column}`}
          cell={rows[position.row]?.[position.column] ?? ''}
          onChange={(cell) => change(withCell(element, position.row, position.column, cell))}
        />
      )}
      <Group mt="md" gap="xs">
        <Text size="xs" c="dimmed" role="status">
          {row === null ? 'No row selected' : `Row ${row + 1}`}
        </Text>
        <Button size="xs" variant="default" disabled={rows.length >= MAX_ROWS} onClick={() => insertRow()}>
          Add row
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={row === null || rows.length >= MAX_ROWS}
          onClick={() => insertRow(row ?? 0)}
        >
          Insert row above
        </Button>
        <Button size="xs" variant="default" disabled={row === null || row === 0} onClick={() => moveRow(-1)}>
          Move row up
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={row === null || row === rows.length - 1}
          onClick={() => moveRow(1)}
        >
          Move row down
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={columns.length >= MAX_COLUMNS}
          onClick={() => change(withColumn(element))}
        >
          Add column
        </Button>
        <Button size="xs" ml="auto" onClick={onClose}>
          Done
        </Button>
      </Group>
    </Modal>
  );
}
