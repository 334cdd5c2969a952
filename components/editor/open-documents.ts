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

// Pages that were left and whose last save goes on.
const leaving = new Map<string, Promise<void>>();

/** Lets the last save of a document go on without its page. */
export function leaveDocument(projectId: string, autosave: Autosave): void {
  const done = autosave.flush().catch(() => undefined);
  leaving.set(projectId, done);
  void done.then(() => {
    if (leaving.get(projectId) === done) leaving.delete(projectId);
  });
}

/** Waits, ten seconds at most, until what an earlier page of this tab has changed in a document is saved or could not be. */
export async function hasBeenLeft(projectId: string): Promise<void> {
  const saved = leaving.get(projectId);
  if (saved) await Promise.race([saved, new Promise((go) => setTimeout(go, 10_000))]);
}

/** The document of a project as it is edited on this page; null where it is not. */
export function openDocumentOf(projectId: string): OpenDocument | null {
  return open.get(projectId) ?? null;
}
