import { newKey } from '@/hooks/new-key';
import { putDocument } from '../document-calls';
import { createDocument, type ListedKey } from '../documents/documents-calls';
import type { EditorDocument } from '../editor-change';
import type { OpenDocument } from '../open-documents';
import { closedBy } from './closed';

/**
 * Creates a function that saves the content of an open document, which was archived or deleted, as a new document, and
 * returns the key of the new one. The open document then has no unsaved changes. If a call fails, the next one continues
 * with the document that it created, even if the response was lost. A call while another one is running joins it.
 */
export function createSaveAsNew() {
  // The server returns the document of the first request to each request with the same key and name.
  let request: { name: string; idempotencyKey: string } | null = null;
  let running: Promise<ListedKey> | null = null;

  async function save(
    projectId: string,
    name: string,
    { store, autosave }: OpenDocument,
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
      // The new document contains the changes, so discard them here. If the old document was deleted, it cannot be read.
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

  return function saveAsNew(projectId: string, name: string, open: OpenDocument): Promise<ListedKey> {
    running ??= save(projectId, name, open).finally(() => {
      running = null;
    });
    return running;
  };
}
