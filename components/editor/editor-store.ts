import { createReducerStore, type ReducerStore } from '@/hooks/reducer-store';
import type { EditorAction } from './editor-action';
import { editorReducer } from './editor-reducer';
import type { EditorState } from './editor-state';

export type EditorStore = ReducerStore<EditorState, EditorAction>;

/** Actions that viewers may perform. */
const viewerActions: ReadonlySet<EditorAction['type']> = new Set([
  'page-opened',
  'sheet-opened',
  'selected',
  'toggled',
  'all-selected',
  'copied',
  'settled',
  'guides-shown',
  'overflows-measured',
  'announced',
  'document-replaced',
  'merged',
]);

/** Creates an editor's store. If a viewer tries to edit, the store shows a message instead of changing anything. */
export function createEditorStore(start: EditorState, canEdit: boolean): EditorStore {
  const store = createReducerStore(editorReducer, start);
  const refused: EditorAction = {
    type: 'announced',
    text: 'You have view-only access to this document.',
    refused: true,
  };
  return {
    ...store,
    dispatch: (action) => store.dispatch(canEdit || viewerActions.has(action.type) ? action : refused),
  };
}
