import type { CellPosition } from '@/components/document/table-view';

type Keys = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>;
export type Caret = Pick<HTMLInputElement, 'selectionStart' | 'selectionEnd'> & { value: string };

/**
 * Returns the cell that a key press moves to, or null to stay in the cell. Enter moves down and Shift+Enter up. The up
 * and down arrows always move; the left and right arrows move only from the start or the end of the text, or if all of
 * it is selected. While an input method is composing text, no key moves.
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
