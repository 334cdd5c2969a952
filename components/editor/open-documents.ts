import type { EditorStore } from './editor-store';
import type { Autosave } from './saving/autosave';

type OpenDocument = { store: EditorStore; autosave: Autosave };

// At most the one of this page; another tab is somebody else.
const open = new Map<string, OpenDocument>();

/** Makes a document that is edited on this page known by its project; the returned function ends it. */
export function keepOpen(projectId: string, document: OpenDocument): () => void {
  open.set(projectId, document);
  return () => {
    if (open.get(projectId) === document) open.delete(projectId);
  };
}

/** The document of a project as it is edited on this page; null where it is not. */
export function openDocumentOf(projectId: string): OpenDocument | null {
  return open.get(projectId) ?? null;
}
