import { newKey } from '@/hooks/new-key';
import { putDocument } from '../document-calls';
import { createDocument, type ListedKey } from '../documents/documents-calls';
import type { EditorDocument } from '../editor-change';
import type { EditedDocument } from '../open-documents';
import { closedBy } from './closed';

/**
 * Creates a function that saves the content of an open document as a new document and returns the key of the new one.
 * It is meant for an open document that was archived or deleted. Afterwards, the open document has no unsaved changes.
 * If a call fails after the server created the new document, the next call reuses that document, even if the server's
 * response was lost. A call made while another one is running returns the same promise.
 */
export function createSaveAsNew() {
  // All requests with the same idempotency key and name return the document that the first one created.
  let request: { name: string; idempotencyKey: string } | null = null;
  let running: Promise<ListedKey> | null = null;

  async function save(
    projectId: string,
    name: string,
    { store, autosave }: EditedDocument,
  ): Promise<ListedKey> {
    request ??= { name: `${[...name].slice(0, 100).join('')} (copy)`, idempotencyKey: newKey() };
    const { idempotencyKey } = request;
    try {
      const created = await createDocument(projectId, request.name, { idempotencyKey });
      const key = { projectId, documentId: created.id };
      let { version } = created;
      let saved: EditorDocument;
      // The user may go on editing while the new document is being saved.
      do {
        saved = store.get().document;
        version = await putDocument(key, saved, version);
      } while (store.get().document !== saved);
      request = null;
      // The new document contains the changes, so discard them here. If the open document was deleted, `takeTheirs`
      // fails, because the server no longer returns the document.
      const theirs = await autosave.takeTheirs().catch(() => null);
      if (theirs)
        store.dispatch({ type: 'document-replaced', document: theirs, message: 'Saved as a new document.' });
      else autosave.discard();
      return key;
    } catch (error) {
      // If the new document was archived or deleted in the meantime, the next call creates another one.
      if (closedBy(error)) request = null;
      throw error;
    }
  }

  return function saveAsNew(projectId: string, name: string, open: EditedDocument): Promise<ListedKey> {
    running ??= save(projectId, name, open).finally(() => {
      running = null;
    });
    return running;
  };
}
