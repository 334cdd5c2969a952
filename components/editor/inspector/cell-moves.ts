import type { CellPosition } from '@/components/document/table-view';

type Keys = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>;
export type Caret = Pick<HTMLInputElement, 'selectionStart' | 'selectionEnd'> & { value: string };

/**
 * Returns the cell position that a key press moves to, or null if the focus stays in the cell. The position may be
 * outside the table. Enter and the down arrow move down; Shift+Enter and the up arrow move up. The left arrow moves
 * left if the cursor is at the start of the text or all of the text is selected. The right arrow moves right if the
 * cursor is at the end or all of the text is selected. With Shift, the left and right arrows stay in the cell. With
 * Ctrl, Cmd or Alt, or while an input method is composing text, all keys stay in the cell.
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
