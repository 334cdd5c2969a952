import { newKey } from '@/hooks/new-key';
import { putDocument } from '../document-calls';
import { createDocument, type ListedKey } from '../documents/documents-calls';
import type { OpenDocument } from '../open-documents';
import { closedBy } from './closed';

/**
 * Creates a function that saves the content of an open document, which was archived or deleted, as a new document, and
 * returns the key of the new one. The open document then has no unsaved changes. If a call fails, the next one continues
 * with the document that it created, even if the response was lost.
 */
export function createSaveAsNew() {
  // The server returns the document of the first request to each request with the same key and name.
  let request: { name: string; idempotencyKey: string } | null = null;
  return async function saveAsNew(
    projectId: string,
    name: string,
    { store, autosave }: OpenDocument,
  ): Promise<ListedKey> {
    const { document } = store.get();
    request ??= { name: `${[...name].slice(0, 100).join('')} (copy)`, idempotencyKey: newKey() };
    const { idempotencyKey } = request;
    try {
      const { id, version } = await createDocument(projectId, request.name, { idempotencyKey });
      const key = { projectId, documentId: id };
      await putDocument(key, document, version);
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
  };
}
