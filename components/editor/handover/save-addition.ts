import { SaidError } from '@/components/feedback/describe-error';
import { ApiError } from '@/lib/http/client';
import { putDocument, readDocument } from '../document-calls';
import { openDocumentOf } from '../open-documents';
import { type Addition, addToDocument, type Destination } from './add-to-document';

const MAX_TRIES = 4;

/** Why a document that was sent is not known to be saved: what happened to it is the `cause`. */
export class SendError extends Error {
  constructor(cause: unknown) {
    super('The document was sent, and may not have been saved.', { cause });
  }
}

/** The page where it is now; not saved yet only where the document is edited on this very page. */
export type SavedAddition = { pageId: string; isSaved: boolean };

/**
 * Adds to a project's document as it is now and saves it over just that version; where somebody else was faster, to
 * what they have saved. A document that is edited on this very page takes it there and saves it with the rest, now or
 * when it can. Throws `SaidError`, `SendError` where what was sent may not have arrived, and else like `callApi`;
 * called off by `signal` where nothing was sent yet.
 */
export async function saveAddition(
  projectId: string,
  addition: Addition,
  to: Destination,
  signal?: AbortSignal,
): Promise<SavedAddition> {
  const here = openDocumentOf(projectId);
  if (here) {
    const { store, autosave } = here;
    const { document } = store.get();
    const added = addToDocument(document, addition, to);
    if ('refused' in added) throw new SaidError(added.refused);
    if (added.document !== document) {
      store.dispatch({ type: 'document-replaced', document: added.document, said: 'It was added.' });
    }
    store.dispatch({ type: 'page-opened', pageId: added.pageId });
    // What keeps it from being saved is told beside the document, with what helps.
    const isSaved = await autosave.flush().then(
      () => true,
      () => false,
    );
    return { pageId: added.pageId, isSaved };
  }
  for (let tries = 1; ; tries += 1) {
    const read = await readDocument(projectId, signal);
    signal?.throwIfAborted();
    const added = addToDocument(read, addition, to);
    if ('refused' in added) throw new SaidError(added.refused);
    if (added.document === read) return { pageId: added.pageId, isSaved: true };
    try {
      await putDocument(projectId, added.document, read.version);
      return { pageId: added.pageId, isSaved: true };
    } catch (error) {
      const wasFaster = error instanceof ApiError && error.code === 'state_conflict';
      if (!wasFaster || tries === MAX_TRIES) throw new SendError(error);
    }
  }
}
