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

// The final saves of documents whose pages the user has left, by project id.
const leaving = new Map<string, Promise<void>>();

/** Starts the final save of a document whose page the user is leaving. */
export function leaveDocument(projectId: string, autosave: Autosave): void {
  const done = autosave.flush().catch(() => undefined);
  leaving.set(projectId, done);
  void done.then(() => {
    if (leaving.get(projectId) === done) leaving.delete(projectId);
  });
}

/** If the user has just left this document in this tab, waits up to ten seconds for its final save to finish or fail. */
export async function hasBeenLeft(projectId: string): Promise<void> {
  const saved = leaving.get(projectId);
  if (saved) await Promise.race([saved, new Promise((go) => setTimeout(go, 10_000))]);
}

/** Returns a project's document if this tab is editing it, otherwise null. */
export function openDocumentOf(projectId: string): OpenDocument | null {
  return open.get(projectId) ?? null;
}
