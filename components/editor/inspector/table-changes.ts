import { countOf } from '@/components/format/count';
import type { TableElement } from '@/lib/export/document/page-model';

type Grid = Pick<TableElement, 'columns' | 'rows'>;

export const MAX_COLUMNS = 20;
export const MAX_ROWS = 300;
/** Characters of a cell. */
export const MAX_CELL = 1000;

/** A table's columns and rows with a column more, at the end. */
export function withColumn({ columns, rows }: Grid): Grid {
  return {
    columns: [...columns, { label: '', width: 1, align: 'left' }],
    rows: rows.map((row) => [...row, '']),
  };
}

export function withoutColumn({ columns, rows }: Grid, index: number): Grid {
  return { columns: columns.toSpliced(index, 1), rows: rows.map((row) => row.toSpliced(index, 1)) };
}

export function withRow({ columns, rows }: Grid): Grid {
  return { columns, rows: [...rows, columns.map(() => '')] };
}

export function withCell({ columns, rows }: Grid, row: number, column: number, text: string): Grid {
  return {
    columns,
    rows: rows.map((cells, index) => (index === row ? cells.with(column, text) : cells)),
  };
}

function cellsOf(text: string): string[][] {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return lines.map((line) => line.split('\t'));
}

const widest = (lines: string[][]) => lines.reduce((most, cells) => Math.max(most, cells.length), 0);

/** A cell as long as one may be, which does not end in half a character where it was cut. */
function cut(cell: string): string {
  if (cell.length <= MAX_CELL) return cell;
  return cell.slice(0, MAX_CELL).replace(/[\uD800-\uDBFF]$/, '');
}

/** What to tell of cells that are longer than a cell may be. */
export function cutWords(count: number): string {
  return `${countOf(count, 'cell')} ${count === 1 ? 'was' : 'were'} cut to ${MAX_CELL.toLocaleString('en')} characters.`;
}

/** What of copied cells `withPasted` leaves out or cuts, in words; null where it takes them whole. */
export function leftOut(row: number, column: number, text: string): string | null {
  const lines = cellsOf(text);
  const over: [number, string][] = [
    [row + lines.length - MAX_ROWS, 'row'],
    [column + widest(lines) - MAX_COLUMNS, 'column'],
  ];
  const without = over.filter(([count]) => count > 0).map(([count, noun]) => countOf(count, noun));
  const taken = lines.slice(0, MAX_ROWS - row).flatMap((cells) => cells.slice(0, MAX_COLUMNS - column));
  const long = taken.filter((cell) => cell.length > MAX_CELL).length;
  const words = [
    ...(without.length > 0 ? [`Left out, for the table is full: ${without.join(' and ')}.`] : []),
    ...(long > 0 ? [cutWords(long)] : []),
  ];
  return words.length > 0 ? words.join(' ') : null;
}

/** Cells copied from a spreadsheet, put in from one cell on; the table grows as far as it may. */
export function withPasted(grid: Grid, row: number, column: number, text: string): Grid {
  const lines = cellsOf(text).slice(0, MAX_ROWS);
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
        return pasted === undefined ? cell : cut(pasted);
      });
    }),
  };
}
