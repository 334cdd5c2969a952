import type { EditorStore } from './editor-store';
import type { Autosave } from './saving/autosave';

/** A document that is being edited in this tab. */
export type EditedDocument = { store: EditorStore; autosave: Autosave };

// The documents being edited in this tab, by document id.
const open = new Map<string, EditedDocument>();

/** Registers a document as being edited in this tab; returns a function that unregisters it. */
export function registerOpen(documentId: string, document: EditedDocument): () => void {
  open.set(documentId, document);
  return () => {
    if (open.get(documentId) === document) open.delete(documentId);
  };
}

// The final saves of documents that the user has left, by document id.
const finalSaves = new Map<string, Promise<void>>();

/** Starts the final save of a document that the user is leaving. `waitForFinalSave` waits for it. */
export function startFinalSave(documentId: string, autosave: Autosave): void {
  const done = autosave.flush().catch(() => undefined);
  finalSaves.set(documentId, done);
  void done.then(() => {
    if (finalSaves.get(documentId) === done) finalSaves.delete(documentId);
  });
}

/** If a document's final save is still running in this tab, waits up to ten seconds for it to finish or fail. */
export async function waitForFinalSave(documentId: string): Promise<void> {
  const saved = finalSaves.get(documentId);
  if (saved) await Promise.race([saved, new Promise((go) => setTimeout(go, 10_000))]);
}

/** Returns the store and the autosave of a document if this tab is editing it, otherwise null. */
export function openDocumentOf(documentId: string): EditedDocument | null {
  return open.get(documentId) ?? null;
}
