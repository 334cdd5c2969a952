import { countOf } from '@/components/format/count';
import { MAX_ROWS, type TableCell, type TableElement } from '@/lib/document/page-model';
import { withCellText } from '@/lib/document/table-cells';

type Grid = Pick<TableElement, 'columns' | 'rows'>;

export const MAX_COLUMNS = 20;
/** Maximum characters per cell. */
export const MAX_CELL = 1000;

/** Returns the table with one more column at the end. */
export function withColumn({ columns, rows }: Grid): Grid {
  return {
    columns: [...columns, { label: '', width: 1, align: 'left' }],
    rows: rows.map((row) => [...row, '']),
  };
}

export function withoutColumn({ columns, rows }: Grid, index: number): Grid {
  return { columns: columns.toSpliced(index, 1), rows: rows.map((row) => row.toSpliced(index, 1)) };
}

/** Returns the table with an empty row inserted at index `at`, by default at the end. */
export function withRow({ columns, rows }: Grid, at = rows.length): Grid {
  return {
    columns,
    rows: rows.toSpliced(
      at,
      0,
      columns.map(() => ''),
    ),
  };
}

/** Returns the table with a row moved to another index. An index out of range changes nothing. */
export function withRowMoved({ columns, rows }: Grid, from: number, to: number): Grid {
  const row = rows[from];
  if (!row || to < 0 || to >= rows.length) return { columns, rows };
  return { columns, rows: rows.toSpliced(from, 1).toSpliced(to, 0, row) };
}

export function withCell({ columns, rows }: Grid, row: number, column: number, cell: TableCell): Grid {
  return {
    columns,
    rows: rows.map((cells, index) => (index === row ? cells.with(column, cell) : cells)),
  };
}

const widest = (lines: string[][]) => lines.reduce((most, cells) => Math.max(most, cells.length), 0);

/** Truncates a cell to the maximum length without splitting a surrogate pair. */
function cut(cell: string, max = MAX_CELL): string {
  if (cell.length <= max) return cell;
  return cell.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
}

/** Returns the message that `count` cells or labels were cut to `max` characters. */
export function cutMessage(count: number, noun = 'cell', max = MAX_CELL): string {
  return `${countOf(count, noun)} ${count === 1 ? 'was' : 'were'} cut to ${max.toLocaleString('en')} characters.`;
}

/**
 * Returns a message about the rows, columns and text that `withPasted` would drop, or null if everything fits. If `row`
 * is negative, the message is about `withPastedLabels`, which makes the first line the column labels.
 */
export function leftOut(row: number, column: number, lines: string[][]): string | null {
  const over: [number, string][] = [
    [row + lines.length - MAX_ROWS, 'row'],
    [column + widest(lines) - MAX_COLUMNS, 'column'],
  ];
  const without = over.filter(([count]) => count > 0).map(([count, noun]) => countOf(count, noun));
  const taken = lines.slice(0, MAX_ROWS - row).map((cells) => cells.slice(0, MAX_COLUMNS - column));
  const labels = row < 0 ? (taken.shift() ?? []) : [];
  const longLabels = labels.filter((cell) => oneLine(cell).length > MAX_LABEL).length;
  const long = taken.flat().filter((cell) => cell.length > MAX_CELL).length;
  const parts = [
    ...(without.length > 0 ? [`The table is full. Not pasted: ${without.join(' and ')}.`] : []),
    ...(longLabels > 0 ? [cutMessage(longLabels, 'label', MAX_LABEL)] : []),
    ...(long > 0 ? [cutMessage(long)] : []),
  ];
  return parts.length > 0 ? parts.join(' ') : null;
}

/** The maximum length of a column's label. */
export const MAX_LABEL = 200;

const oneLine = (cell: string) => cell.replace(/\s+/g, ' ').trim();

/** Returns a cell's text as a column label: a single line of at most `MAX_LABEL` characters. */
export function columnLabelOf(cell: string): string {
  return cut(oneLine(cell), MAX_LABEL);
}

/**
 * Pastes spreadsheet cells starting at a column's label. The first line becomes labels, and the following lines become
 * the cells below them.
 */
export function withPastedLabels(grid: Grid, column: number, [labels = [], ...below]: string[][]): Grid {
  const wide = Math.min(MAX_COLUMNS, column + labels.length);
  let { columns, rows } = grid;
  while (columns.length < wide) ({ columns, rows } = withColumn({ columns, rows }));
  const labeled = columns.map((one, index) => {
    const label = labels[index - column];
    return label === undefined ? one : { ...one, label: columnLabelOf(label) };
  });
  return withPasted({ columns: labeled, rows }, 0, column, below);
}

/** Pastes spreadsheet cells starting at one cell. The table grows as needed, up to its limits. */
export function withPasted(grid: Grid, row: number, column: number, cells: string[][]): Grid {
  const lines = cells.slice(0, MAX_ROWS);
  let { columns, rows } = grid;
  const wide = Math.min(MAX_COLUMNS, column + widest(lines));
  const high = Math.min(MAX_ROWS, row + lines.length);
  while (columns.length < wide) ({ columns, rows } = withColumn({ columns, rows }));
  while (rows.length < high) ({ columns, rows } = withRow({ columns, rows }));
  return {
    columns,
    rows: rows.map((cells, at) => {
      const line = lines[at - row];
      if (!line) return cells;
      return cells.map((cell, index) => {
        const pasted = line[index - column];
        return pasted === undefined ? cell : withCellText(cell, cut(pasted));
      });
    }),
  };
}
