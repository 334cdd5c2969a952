import { countOf } from '@/components/format/count';
import { MAX_ELEMENTS, type PageElement } from '@/lib/document/page-model';
import { addElements } from './change-elements';
import { copiedElements, isOpen, openPage, type Target } from './editor-change';
import { apply } from './editor-history';
import { type EditorState, withMessage } from './editor-state';
import { boundedFrame } from './geometry/frames';

/** Offset in millimeters of a copy from its original, or of a new element from an existing one at the same place. */
export const COPY_OFFSET = 5;

/** Copies the selected elements to the editor's clipboard. */
export function copy(state: EditorState): EditorState {
  const elements = copiedElements(state);
  if (elements.length === 0) return state;
  return withMessage({ ...state, clipboard: elements }, `${countOf(elements.length, 'element')} copied.`);
}

/** Adds elements to a page or master, by default the open one. If the target is not open, the selection stays. */
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
 * Offsets elements for a page or master, by default the open one, until none of them is at the same place as an
 * existing element of its type, such as its original or an earlier copy.
 */
export function besideOthers(
  state: EditorState,
  elements: readonly PageElement[],
  { pageId, sheet }: Target = state,
): PageElement[] {
  // Leave out the height: a text element that was added at the same place may have grown since.
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

/** Pastes elements, offset from existing ones at the same place, and keeps the pasted elements in the clipboard. */
export function paste(
  state: EditorState,
  elements: readonly PageElement[],
  target: Target = state,
): EditorState {
  const pasted = besideOthers(state, elements, target).map((element) => ({ ...element, locked: false }));
  return addTo({ ...state, clipboard: pasted }, pasted, target, 'pasted');
}
