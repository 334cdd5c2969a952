import { countOf } from '@/components/format/count';
import { MAX_ELEMENTS, type PageElement } from '@/lib/document/page-model';
import { addElements } from './change-elements';
import { copiedElements, isOpen, openPage, type Target } from './editor-change';
import { apply } from './editor-history';
import { type EditorState, withMessage } from './editor-state';
import { boundedFrame } from './geometry/frames';

/**
 * The distance in millimeters by which a copy is moved right and down from its original. New elements at the same place
 * as existing ones are moved by multiples of it.
 */
export const COPY_OFFSET = 5;

/** Copies the selected elements to the editor's clipboard. */
export function copy(state: EditorState): EditorState {
  const elements = copiedElements(state);
  if (elements.length === 0) return state;
  return withMessage({ ...state, clipboard: elements }, `${countOf(elements.length, 'element')} copied.`);
}

/**
 * Adds elements to a page or master, by default the open one. If the target is not open, the selection does not change.
 */
export function addTo(
  state: EditorState,
  elements: readonly PageElement[],
  { pageId, sheet }: Target = state,
  verb?: string,
): EditorState {
  const change = addElements({ ...state, pageId, sheet }, elements, verb);
  const isElsewhere = change !== null && 'document' in change && !isOpen({ pageId, sheet }, state);
  return apply(state, isElsewhere ? { ...change, selected: state.selected } : change);
}

/**
 * Moves elements right and down in steps of `COPY_OFFSET` until, on the target page or master, none of them is at
 * the same place as another element of the same type, for example the original or an earlier copy. By default, the
 * target is the open page or master.
 */
export function besideOthers(
  state: EditorState,
  elements: readonly PageElement[],
  { pageId, sheet }: Target = state,
): PageElement[] {
  // Do not compare heights, because a text element that was added at the same place may have grown since.
  const placeOf = ({ type, x, y, w }: PageElement) => [type, x, y, w].join();
  const here = new Set(openPage({ ...state, pageId, sheet })?.elements.map(placeOf));
  let moved = [...elements];
  for (let copies = 1; copies <= MAX_ELEMENTS && moved.some((one) => here.has(placeOf(one))); copies += 1) {
    const by = copies * COPY_OFFSET;
    moved = elements.map((element) => ({
      ...element,
      ...boundedFrame({ ...element, x: element.x + by, y: element.y + by }),
    }));
  }
  return moved;
}

/**
 * Pastes elements, unlocked and offset from existing elements at the same place. The pasted elements become the
 * contents of the editor's clipboard.
 */
export function paste(
  state: EditorState,
  elements: readonly PageElement[],
  target: Target = state,
): EditorState {
  const pasted = besideOthers(state, elements, target).map((element) => ({ ...element, locked: false }));
  return addTo({ ...state, clipboard: pasted }, pasted, target, 'pasted');
}
