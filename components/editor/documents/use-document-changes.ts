'use client';

import { notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { offerUndo } from '@/components/feedback/offer-undo';
import { showError } from '@/components/feedback/show-error';
import type { DocumentSummary } from '@/lib/export/documents/schema';
import { archiveDocument, deleteDocument, restoreDocument } from './documents-calls';

type Named = Pick<DocumentSummary, 'id' | 'name'>;

/** Actions that change the state of a document. They show failures as notifications. */
export type DocumentChanges = {
  archive: (document: Named) => Promise<void>;
  unarchive: (document: Named) => Promise<void>;
  /** Deletes the document, then offers to undo the deletion. Resolves to whether the deletion succeeded. */
  remove: (document: Named) => Promise<boolean>;
  restore: (document: Named) => Promise<void>;
};

/** Returns actions that change documents of a project. They call `onChanged`, which must refetch the documents. */
export function useDocumentChanges(projectId: string, onChanged: () => unknown): DocumentChanges {
  return useMemo(() => {
    const keyOf = ({ id }: Named) => ({ projectId, documentId: id });
    const run = async (title: string, act: () => Promise<unknown>): Promise<boolean> => {
      try {
        await act();
        return true;
      } catch (error) {
        showError(title, error);
        return false;
      } finally {
        // Refetch even after an error, because someone else may have changed the document.
        await onChanged();
      }
    };
    const unarchive = async (document: Named) => {
      const title = `${document.name} could not be unarchived`;
      if (await run(title, () => archiveDocument(keyOf(document), false))) {
        notifications.show({ message: `${document.name} unarchived.` });
      }
    };
    const restore = async (document: Named) => {
      const title = `${document.name} could not be restored`;
      if (await run(title, () => restoreDocument(keyOf(document)))) {
        notifications.show({ message: `${document.name} restored.` });
      }
    };
    return {
      unarchive,
      restore,
      archive: async (document) => {
        const title = `${document.name} could not be archived`;
        if (await run(title, () => archiveDocument(keyOf(document), true))) {
          offerUndo(`${document.name} archived.`, () => void unarchive(document));
        }
      },
      remove: async (document) => {
        const title = `${document.name} could not be deleted`;
        const removed = await run(title, () => deleteDocument(keyOf(document)));
        if (removed) offerUndo(`${document.name} deleted.`, () => void restore(document));
        return removed;
      },
    };
  }, [projectId, onChanged]);
}
