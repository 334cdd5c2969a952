import type { TableElement } from '@/lib/export/document/page-model';

type Grid = Pick<TableElement, 'columns' | 'rows'>;

export const MAX_COLUMNS = 20;
export const MAX_ROWS = 300;

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

/** Cells copied from a spreadsheet, put in from one cell on; the table grows as far as it may. */
export function withPasted(grid: Grid, row: number, column: number, text: string): Grid {
  const lines = text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .slice(0, MAX_ROWS)
    .map((line) => line.split('\t'));
  let { columns, rows } = grid;
  const wide = Math.min(MAX_COLUMNS, column + Math.max(...lines.map((cells) => cells.length)));
  const high = Math.min(MAX_ROWS, row + lines.length);
  while (columns.length < wide) ({ columns, rows } = withColumn({ columns, rows }));
  while (rows.length < high) ({ columns, rows } = withRow({ columns, rows }));
  return {
    columns,
    rows: rows.map((cells, at) => {
      const line = lines[at - row];
      if (!line) return cells;
      return cells.map((cell, index) => line[index - column]?.slice(0, 1000) ?? cell);
    }),
  };
}
