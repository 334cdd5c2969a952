import type { PageElement, PageGuide } from '@/lib/document/page-model';
import { inReadingOrder } from '@/lib/document/reading-order';
import type { EditorAction } from '../editor-action';

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

const arrows: Record<string, { dx: number; dy: number }> = {
  ArrowLeft: { dx: -1, dy: 0 },
  ArrowRight: { dx: 1, dy: 0 },
  ArrowUp: { dx: 0, dy: -1 },
  ArrowDown: { dx: 0, dy: 1 },
};

/** Returns the distance in millimeters that one press of an arrow key covers. */
const stepOf = ({ shiftKey, altKey }: Pick<Keys, 'shiftKey' | 'altKey'>) =>
  altKey ? 0.1 : shiftKey ? 10 : 1;

/**
 * Returns the action of a shortcut for undo, redo or select all, or null for other keys. See `useEditorKeys` for where
 * the shortcuts work.
 */
export function editorKey({ key, ctrlKey, metaKey, shiftKey, altKey }: Keys): EditorAction | null {
  if (!(ctrlKey || metaKey) || altKey) return null;
  if (key.toLowerCase() === 'a' && !shiftKey) return { type: 'all-selected' };
  if (key.toLowerCase() === 'z') return { type: shiftKey ? 'redone' : 'undone' };
  return key.toLowerCase() === 'y' && !shiftKey ? { type: 'redone' } : null;
}

export type ViewKey =
  | 'save'
  | 'find'
  | 'fit'
  | 'zoom in'
  | 'zoom out'
  | 'guides'
  | 'next page'
  | 'previous page';

const viewKeys: Record<string, ViewKey> = {
  s: 'save',
  f: 'find',
  '0': 'fit',
  '+': 'zoom in',
  '=': 'zoom in',
  '-': 'zoom out',
  ';': 'guides',
};

/**
 * Returns the shortcut for saving, finding, zooming, guides or page navigation that a key triggers, or null for other
 * keys. See `useEditorKeys` for where the shortcuts work.
 */
export function viewKey({ key, ctrlKey, metaKey, shiftKey, altKey }: Keys): ViewKey | null {
  if (altKey) return null;
  if (ctrlKey || metaKey) {
    const found = viewKeys[key.toLowerCase()] ?? null;
    // Some keyboards have the plus sign on a shifted key. Leave other shifted keys to the browser.
    return shiftKey && found !== 'zoom in' ? null : found;
  }
  if (shiftKey) return null;
  return key === 'PageDown' ? 'next page' : key === 'PageUp' ? 'previous page' : null;
}

/**
 * Stops the propagation of a key press, so that the key does not act on the selected elements. Called by the parts of
 * the canvas that handle keys themselves, such as the in-place editors. The shortcuts for saving, finding, zooming and
 * guides still reach the editor.
 */
export function keepKey(event: Keys & Pick<Event, 'stopPropagation'>): void {
  const key = viewKey(event);
  // Page Up and Page Down must not open another page while a text or field has the focus.
  if (key === null || key === 'next page' || key === 'previous page') event.stopPropagation();
}

/** Returns the action that a key performs on the selected elements, or null if the key has none. */
export function canvasKey(event: Keys, selected: readonly PageElement[]): EditorAction | null {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
  const arrow = arrows[key];
  if (arrow && !ctrlKey && !metaKey) {
    const mm = stepOf(event);
    return selected.length > 0 ? { type: 'moved', dx: arrow.dx * mm, dy: arrow.dy * mm } : null;
  }
  if ((key === 'Delete' || key === 'Backspace') && selected.length > 0) return { type: 'removed' };
  if (!(ctrlKey || metaKey) || altKey) return null;
  switch (key.toLowerCase()) {
    case 'd':
      return { type: 'duplicated' };
    case 'g':
      return { type: shiftKey ? 'ungrouped' : 'grouped' };
    case 'l':
      return {
        type: 'locked',
        ids: selected.map(({ id }) => id),
        locked: selected.some(({ locked }) => !locked),
      };
    case ']':
    case '}':
      return { type: 'layered', move: shiftKey ? 'front' : 'forward' };
    case '[':
    case '{':
      return { type: 'layered', move: shiftKey ? 'back' : 'backward' };
    default:
      return null;
  }
}

/** Returns what a key does to the focused guide: the distance to move it (mm), `remove`, or null for nothing. */
export function guideKey(
  { key, ctrlKey, metaKey, shiftKey, altKey }: Keys,
  axis: PageGuide['axis'],
): number | 'remove' | null {
  if (ctrlKey || metaKey) return null;
  if (key === 'Delete' || key === 'Backspace') return 'remove';
  const { dx = 0, dy = 0 } = arrows[key] ?? {};
  return (axis === 'x' ? dx : dy) * stepOf({ shiftKey, altKey }) || null;
}

/** The factor by which the plus key enlarges the image that is being cropped. */
export const CROP_ZOOM_STEP = 1.1;

/** Returns what a key does while an image is being cropped, or null for nothing. `dx` and `dy` move the image (mm). */
export function cropKey({
  key,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
}: Keys): 'apply' | 'cancel' | { zoom: number } | { dx: number; dy: number } | null {
  if (ctrlKey || metaKey) return null;
  if (key === 'Enter') return 'apply';
  if (key === 'Escape') return 'cancel';
  if (key === '+' || key === '=') return { zoom: CROP_ZOOM_STEP };
  if (key === '-') return { zoom: 1 / CROP_ZOOM_STEP };
  const arrow = arrows[key];
  const mm = stepOf({ shiftKey, altKey });
  return arrow ? { dx: arrow.dx * mm, dy: arrow.dy * mm } : null;
}

/**
 * Returns the unlocked element to which Tab (1) or Shift+Tab (-1) moves the focus in reading order. Returns null at
 * either end. Tab stops at a group only once, at its first element, unless the group is `entered`.
 */
export function nextInOrder(
  elements: readonly PageElement[],
  from: string | null,
  direction: 1 | -1,
  entered: string | null = null,
): PageElement | null {
  const order = inReadingOrder(elements.filter(({ locked }) => !locked));
  const stopFor = (element: PageElement) =>
    element.groupId === undefined || element.groupId === entered
      ? element
      : order.find(({ groupId }) => groupId === element.groupId);
  const stops = order.filter((element) => stopFor(element) === element);
  const focused = order.find(({ id }) => id === from);
  const at = stops.findIndex((stop) => focused && stop === stopFor(focused));
  if (at < 0) return (direction > 0 ? stops[0] : stops.at(-1)) ?? null;
  return stops[at + direction] ?? null;
}
