'use client';

import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react';
import type { DocumentImages, PageData } from '@/lib/document/page-model';
import { type SheetSize, sheetSize } from '@/lib/document/sheets';
import { type EditorAction, type EditorState, openPage } from './editor-state';
import type { EditorStore } from './editor-store';

type Editor = { store: EditorStore; projectId: string; projectName: string; canEdit: boolean };

const EditorContext = createContext<Editor | null>(null);
const ImagesContext = createContext<DocumentImages>(new Map());

type EditorProviderProps = Editor & { images: DocumentImages; children: ReactNode };

/** Provides the editor and the document's images to the components below. */
export function EditorProvider(props: EditorProviderProps) {
  const { store, projectId, projectName, canEdit, images, children } = props;
  const editor = useMemo(
    () => ({ store, projectId, projectName, canEdit }),
    [store, projectId, projectName, canEdit],
  );
  return (
    <EditorContext value={editor}>
      <ImagesContext value={images}>{children}</ImagesContext>
    </EditorContext>
  );
}

/** Returns the project and store of the surrounding editor. Throws outside of an `EditorProvider`. */
export function useEditorContext(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error('useEditorContext needs an EditorProvider.');
  return editor;
}

/** Returns a part of the editor's state. Re-renders only when `select` returns another value (by `Object.is`). */
export function useEditor<Value>(select: (state: EditorState) => Value): Value {
  const { store } = useEditorContext();
  const read = () => select(store.get());
  return useSyncExternalStore(store.subscribe, read, read);
}

/** Returns the editor's dispatch function, which is stable while the document is open. */
export function useEditorDispatch(): (action: EditorAction) => void {
  return useEditorContext().store.dispatch;
}

/** Returns the open page, or null while the document has no pages. */
export function useCurrentPage(): PageData | null {
  return useEditor(openPage);
}

/** Returns the size of the document's pages in millimeters: the same object until the size changes. */
export function usePageSize(): SheetSize {
  const format = useEditor(({ document }) => document.format);
  const orientation = useEditor(({ document }) => document.orientation);
  return useMemo(() => sheetSize({ format, orientation }), [format, orientation]);
}

/** Returns the document's images with their URLs, by image key. */
export function useDocumentImages(): DocumentImages {
  return useContext(ImagesContext);
}
