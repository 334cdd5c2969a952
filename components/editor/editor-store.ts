import { type EditorAction, type EditorState, editorReducer } from './editor-state';

export type EditorStore = {
  get: () => EditorState;
  dispatch: (action: EditorAction) => void;
  /** Calls back after each change; the returned function ends it. */
  subscribe: (onChange: () => void) => () => void;
};

/** What a viewer may do, too: look around, and copy what there is. */
const looking: ReadonlySet<EditorAction['type']> = new Set([
  'page-opened',
  'selected',
  'toggled',
  'all-selected',
  'copied',
  'settled',
  'told',
  'document-replaced',
]);

/** An editor outside of React: each part of the page reads only what it shows. */
export function createEditorStore(start: EditorState, canEdit: boolean): EditorStore {
  const listeners = new Set<() => void>();
  let state = start;
  return {
    get: () => state,
    dispatch: (action) => {
      const allowed: EditorAction =
        canEdit || looking.has(action.type)
          ? action
          : { type: 'told', text: 'You are a viewer here: the document cannot be changed.', refused: true };
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
