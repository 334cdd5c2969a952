import type { CellPosition } from '@/components/document/table-view';

type Keys = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>;
export type Caret = Pick<HTMLInputElement, 'selectionStart' | 'selectionEnd'> & { value: string };

/**
 * Returns the cell that a key moves to, or null if the key stays in its cell. Enter moves down, Shift+Enter and the
 * arrows move as in a spreadsheet; Left and Right move only from the start and the end of the text. While an input
 * method is composing text, its keys stay in the cell.
 */
export function cellAfter(
  { key, shiftKey, ctrlKey, metaKey, altKey, isComposing }: Keys,
  { row, column }: CellPosition,
  { selectionStart, selectionEnd, value }: Caret,
): CellPosition | null {
  if (ctrlKey || metaKey || altKey || isComposing) return null;
  const isAll = selectionStart === 0 && selectionEnd === value.length;
  const isAtStart = isAll || (selectionStart === 0 && selectionEnd === 0);
  const isAtEnd = isAll || (selectionStart === value.length && selectionEnd === value.length);
  switch (key) {
    case 'Enter':
      return { row: row + (shiftKey ? -1 : 1), column };
    case 'ArrowUp':
      return { row: row - 1, column };
    case 'ArrowDown':
      return { row: row + 1, column };
    case 'ArrowLeft':
      return isAtStart && !shiftKey ? { row, column: column - 1 } : null;
    case 'ArrowRight':
      return isAtEnd && !shiftKey ? { row, column: column + 1 } : null;
    default:
      return null;
  }
}
