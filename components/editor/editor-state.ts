import type { ImageElement, PageElement } from '@/lib/document/page-model';
import { type EditorDocument, type EditorSnapshot, onPage } from './editor-change';

/** The state of an open document: its content, selection and history, and what is being edited. */
export type EditorState = EditorSnapshot & {
  past: readonly EditorSnapshot[];
  future: readonly EditorSnapshot[];
  /** The values of `past` and `future` before the last undo step. Canceling a drag restores them. */
  before: { past: readonly EditorSnapshot[]; future: readonly EditorSnapshot[] };
  /**
   * The undo group of the last change; null if the next change must be a new undo step. Consecutive changes with the
   * same group are a single step, for example the changes of a drag, of typing in one field, or of repeated nudges.
   */
  group: string | null;
  /** Increases with each change of the document. */
  revision: number;
  /**
   * Whether the last change merged someone else's version and the document now equals that version. If so, that
   * person's editor has already fitted the tables and texts to their contents.
   */
  isTheirs: boolean;
  /**
   * The text element or table that is being edited in place. With `selectAll`, all of the text is selected when editing
   * starts.
   */
  editing: { id: string; selectAll: boolean } | null;
  /** The selected image that is being cropped on the canvas, as it was when cropping started. */
  cropping: ImageElement | null;
  /**
   * The heights in millimeters that overflowing elements of the open page or master need for their contents, by element
   * id.
   */
  overflows: Readonly<Record<string, number>>;
  /** Whether the guides are visible. Elements snap only to visible guides. */
  showsGuides: boolean;
  /** The elements that were last copied, cut or pasted. */
  clipboard: readonly PageElement[];
  /** The latest message about an action. `serial` increases so that a repeated message is announced again. */
  message: { text: string; refused: boolean; serial: number } | null;
};

/** Returns the initial state for a document. Opens the page `pageId` or, if there is no such page, the first one. */
export function openEditor(document: EditorDocument, pageId: string | null = null): EditorState {
  const opened = document.pages.find(({ id }) => id === pageId) ?? document.pages[0];
  return {
    document,
    pageId: opened?.id ?? null,
    sheet: onPage,
    selected: [],
    past: [],
    future: [],
    before: { past: [], future: [] },
    group: null,
    revision: 0,
    isTheirs: false,
    editing: null,
    cropping: null,
    overflows: {},
    showsGuides: true,
    clipboard: [],
    message: null,
  };
}

/** Returns the part of the state that an undo step restores. */
export const snapshotOf = ({ document, pageId, sheet, selected }: EditorSnapshot): EditorSnapshot => ({
  document,
  pageId,
  sheet,
  selected,
});

/** Returns the state with a new message about an action. */
export function withMessage(state: EditorState, text: string, refused = false): EditorState {
  return { ...state, message: { text, refused, serial: (state.message?.serial ?? 0) + 1 } };
}
