'use client';

import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react';
import type { DocumentImages, PageData } from '@/lib/document/page-model';
import { sheetOptionsOf } from '@/lib/document/schema';
import {
  type FrontSheet,
  frontSheetCount,
  frontSheets,
  type PageSetup,
  type SheetSize,
  sheetSize,
} from '@/lib/document/sheets';
import type { Paper } from '@/lib/document/templates/template';
import type { EditorAction } from './editor-action';
import { openPage } from './editor-change';
import type { EditorState } from './editor-state';
import type { EditorStore } from './editor-store';

type Editor = {
  store: EditorStore;
  projectId: string;
  documentId: string;
  projectName: string;
  documentName: string;
  canEdit: boolean;
};

const EditorContext = createContext<Editor | null>(null);
const ImagesContext = createContext<DocumentImages>(new Map());

type EditorProviderProps = Editor & { images: DocumentImages; children: ReactNode };

/** Provides the editor and the document's images to the components below. */
export function EditorProvider(props: EditorProviderProps) {
  const { store, projectId, documentId, projectName, documentName, canEdit, images, children } = props;
  const editor = useMemo(
    () => ({ store, projectId, documentId, projectName, documentName, canEdit }),
    [store, projectId, documentId, projectName, documentName, canEdit],
  );
  return (
    <EditorContext value={editor}>
      <ImagesContext value={images}>{children}</ImagesContext>
    </EditorContext>
  );
}

/**
 * Returns the surrounding editor's store, project and document, and whether the user can edit. Throws outside an
 * `EditorProvider`.
 */
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

/** Returns the open page or master, or null if there is none. */
export function useCurrentPage(): PageData | null {
  return useEditor(openPage);
}

/** Returns the paper of the document's pages. The object stays the same until the paper changes. */
export function usePaper(): Paper {
  const format = useEditor(({ document }) => document.format);
  const orientation = useEditor(({ document }) => document.orientation);
  const customSize = useEditor(({ document }) => document.customSize);
  const margin = useEditor(({ document }) => document.margin);
  return useMemo(
    () => ({ format, orientation, customSize, margin }),
    [format, orientation, customSize, margin],
  );
}

/** Returns the size of the document's pages in millimeters. The object stays the same until the paper changes. */
export function usePageSize(): SheetSize {
  const paper = usePaper();
  return useMemo(() => sheetSize(paper), [paper]);
}

/** Returns the settings that the sheets of all pages share. The object stays the same until one of them changes. */
export function usePageSetup(): PageSetup {
  const size = usePageSize();
  const margin = useEditor(({ document }) => document.margin);
  const language = useEditor(({ document }) => document.language);
  const masters = useEditor(({ document }) => document.masters);
  return useMemo(() => ({ size, margin, language, masters }), [size, margin, language, masters]);
}

/** Returns the number of sheets before the first page. */
export function useFrontSheetCount(): number {
  return useEditor(({ document }) => {
    const { cover, contents } = frontSheetCount(document, sheetOptionsOf(document));
    return cover + contents;
  });
}

/** Returns the sheets before the first page. The array stays the same until something that they can show changes. */
export function useFrontSheets(): FrontSheet[] {
  const { store, projectName } = useEditorContext();
  const paper = usePaper();
  const language = useEditor(({ document }) => document.language);
  const cover = useEditor(({ document }) => (document.includecover ? document.cover : null));
  // Build a string, because strings are compared by value. This string changes only when the titles in the contents,
  // the positions of their pages or the number of pages change.
  const listed = useEditor(({ document }) =>
    JSON.stringify(document.pages.map((page) => document.includeToc && page.inToc && page.title)),
  );
  const contents = useEditor(({ document }) => (document.includeToc ? document.contents : null));
  const masters = useEditor(({ document }) => document.masters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sheets show only these parts.
  return useMemo(() => {
    const { document } = store.get();
    return frontSheets(document, projectName, sheetOptionsOf(document));
  }, [store, projectName, paper, language, cover, contents, masters, listed]);
}

/** Returns the document's images with their URLs, by image key. */
export function useDocumentImages(): DocumentImages {
  return useContext(ImagesContext);
}
