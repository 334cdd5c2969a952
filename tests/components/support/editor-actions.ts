import type { EditorAction } from '@/components/editor/editor-action';
import { openPage } from '@/components/editor/editor-change';
import { editorReducer } from '@/components/editor/editor-reducer';
import { type EditorState, openEditor } from '@/components/editor/editor-state';
import { inLayers } from '@/components/editor/layers';
import { type PageData, type PageElement, pageData, pageElement } from '@/lib/document/page-model';
import { projectDocument } from '@/lib/document/schema';

/** Returns a rectangle. */
export const shape = (id: string, place: Partial<PageElement> = {}): PageElement =>
  pageElement.parse({ id, type: 'shape', kind: 'rect', x: 10, y: 10, w: 20, h: 10, ...place });
/** Returns a text element with one paragraph. */
export const text = (id: string, words: string): PageElement =>
  pageElement.parse({
    id,
    type: 'text',
    x: 50,
    y: 50,
    w: 60,
    h: 20,
    blocks: [{ type: 'paragraph', runs: [{ text: words }] }],
  });
export const page = (id: string, elements: PageElement[] = []): PageData => pageData.parse({ id, elements });
/** Returns the state of the editor for a document with these pages. */
export const open = (...pages: PageData[]): EditorState =>
  openEditor(projectDocument.parse({ version: 1, pages }));
/** Returns the state after these actions. */
export const act = (state: EditorState, ...actions: EditorAction[]) => actions.reduce(editorReducer, state);
/** Returns the elements of the open page. */
export const elementsOf = (state: EditorState) => openPage(state)?.elements ?? [];
/** Returns an element of the open page, or undefined. */
export const element = (state: EditorState, id: string) => elementsOf(state).find((other) => other.id === id);
export const pageIds = (state: EditorState) => state.document.pages.map(({ id }) => id);
/** Returns the ids of the open page's elements, in stacking order, bottom first. */
export const layersOf = (state: EditorState) => inLayers(elementsOf(state)).map(({ id }) => id);
