import { type EditorAction, type EditorState, editorReducer } from './editor-state';

export type EditorStore = {
  get: () => EditorState;
  dispatch: (action: EditorAction) => void;
  /** Calls `onChange` after each change; returns a function that unsubscribes. */
  subscribe: (onChange: () => void) => () => void;
};

/** Actions that viewers may perform. */
const looking: ReadonlySet<EditorAction['type']> = new Set([
  'page-opened',
  'selected',
  'toggled',
  'all-selected',
  'copied',
  'settled',
  'overflows-measured',
  'told',
  'document-replaced',
]);

/** Holds the editor state outside React, so that each component subscribes only to what it shows. */
export function createEditorStore(start: EditorState, canEdit: boolean): EditorStore {
  const listeners = new Set<() => void>();
  let state = start;
  return {
    get: () => state,
    dispatch: (action) => {
      const allowed: EditorAction =
        canEdit || looking.has(action.type)
          ? action
          : { type: 'told', text: 'You have view-only access to this document.', refused: true };
      const next = editorReducer(state, allowed);
      if (next === state) return;
      state = next;
      for (const onChange of listeners) onChange();
    },
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}
