import { UserFacingError } from '@/components/feedback/describe-error';
import { type DocumentKey, documentIdOf } from '@/lib/document/document-key';
import { ApiError } from '@/lib/http/client';
import { putDocument, readDocument } from '../document-calls';
import { openDocumentOf } from '../open-documents';
import { type Addition, addToDocument, type Destination } from './add-to-document';

const MAX_TRIES = 4;

/** Thrown if saving fails after the document was sent. The server may have saved it anyway. `cause` is the failure. */
export class SendError extends Error {
  constructor(cause: unknown) {
    super('The document was sent, and may not have been saved.', { cause });
  }
}

/**
 * The page that contains the addition. `isSaved` is false only if this tab is editing the document and cannot save it.
 */
export type SavedAddition = { pageId: string; isSaved: boolean };

/**
 * Adds content to a document and saves it. If someone else saves in the meantime, starts over from the newer version,
 * up to `MAX_TRIES` attempts in all. If this tab is editing the document, adds the content in the editor instead, and
 * ignores `signal`. Otherwise, `signal` cancels reading the document, but not saving it. Throws `UserFacingError` if
 * the content cannot be added, and `SendError` if saving outside the editor fails. If the document cannot be read,
 * throws what `callApi` throws.
 */
export async function saveAddition(
  key: DocumentKey,
  addition: Addition,
  to: Destination,
  signal?: AbortSignal,
): Promise<SavedAddition> {
  const openDocument = openDocumentOf(documentIdOf(key));
  if (openDocument) {
    const { store, autosave } = openDocument;
    const { document } = store.get();
    const added = addToDocument(document, addition, to);
    if ('refused' in added) throw new UserFacingError(added.refused);
    if (added.document !== document) {
      store.dispatch({ type: 'document-replaced', document: added.document, message: 'Added.' });
    }
    store.dispatch({ type: 'page-opened', pageId: added.pageId });
    // The editor shows save errors itself.
    const isSaved = await autosave.flush().then(
      () => true,
      () => false,
    );
    return { pageId: added.pageId, isSaved };
  }
  for (let tries = 1; ; tries += 1) {
    const read = await readDocument(key, signal);
    signal?.throwIfAborted();
    const added = addToDocument(read, addition, to);
    if ('refused' in added) throw new UserFacingError(added.refused);
    if (added.document === read) return { pageId: added.pageId, isSaved: true };
    try {
      await putDocument(key, added.document, read.version);
      return { pageId: added.pageId, isSaved: true };
    } catch (error) {
      const wasFaster = error instanceof ApiError && error.code === 'state_conflict';
      if (!wasFaster || tries === MAX_TRIES) throw new SendError(error);
    }
  }
}
