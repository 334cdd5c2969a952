/** The number of rows that Page Up and Page Down move by: about one screen. */
const PAGE_ROWS = 3;

type Grid = { index: number; columns: number; count: number };

/**
 * Returns the index of the item to focus after a key press, or null if the key does not navigate. The grid is filled
 * row by row. At either end of a row, the left and right arrow keys continue in the adjacent row. Moves do not leave
 * the grid. If the last row has no item in the same column, a move down into that row goes to the last item.
 */
export function gridMove(key: string, ctrl: boolean, { index, columns, count }: Grid): number | null {
  const last = count - 1;
  const rowStart = index - (index % columns);
  const down = (rows: number) => {
    const target = index + rows * columns;
    if (target <= last) return target;
    const rowsBelow = Math.floor(last / columns) - Math.floor(index / columns);
    return rowsBelow > 0 ? Math.min(index + rowsBelow * columns, last) : index;
  };
  const up = (rows: number) => {
    const possible = Math.min(rows, Math.floor(index / columns));
    return index - possible * columns;
  };
  switch (key) {
    case 'ArrowRight':
      return Math.min(index + 1, last);
    case 'ArrowLeft':
      return Math.max(index - 1, 0);
    case 'ArrowDown':
      return down(1);
    case 'ArrowUp':
      return up(1);
    case 'PageDown':
      return down(PAGE_ROWS);
    case 'PageUp':
      return up(PAGE_ROWS);
    case 'Home':
      return ctrl ? 0 : rowStart;
    case 'End':
      return ctrl ? last : Math.min(rowStart + columns - 1, last);
    default:
      return null;
  }
}
