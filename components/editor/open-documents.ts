import type { EditorStore } from './editor-store';
import type { Autosave } from './saving/autosave';

type OpenDocument = { store: EditorStore; autosave: Autosave };

// Holds at most the document that this tab edits.
const open = new Map<string, OpenDocument>();

/** Registers the document being edited under its project; returns a function that unregisters it. */
export function keepOpen(projectId: string, document: OpenDocument): () => void {
  open.set(projectId, document);
  return () => {
    if (open.get(projectId) === document) open.delete(projectId);
  };
}

// Last saves of documents whose page was left.
const leaving = new Map<string, Promise<void>>();

/** Starts the last save of a document whose page is being left. */
export function leaveDocument(projectId: string, autosave: Autosave): void {
  const done = autosave.flush().catch(() => undefined);
  leaving.set(projectId, done);
  void done.then(() => {
    if (leaving.get(projectId) === done) leaving.delete(projectId);
  });
}

/** Waits, at most ten seconds, until the last save of a document that this tab has left succeeds or fails. */
export async function hasBeenLeft(projectId: string): Promise<void> {
  const saved = leaving.get(projectId);
  if (saved) await Promise.race([saved, new Promise((go) => setTimeout(go, 10_000))]);
}

/** The document of a project if this tab is editing it, otherwise null. */
export function openDocumentOf(projectId: string): OpenDocument | null {
  return open.get(projectId) ?? null;
}
