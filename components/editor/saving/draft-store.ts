import { type ProjectDocument, projectDocument } from '@/lib/export/schema';
import type { EditorDocument } from '../editor-change';

const DATABASE = 'atelier-documents';
const STORE = 'drafts';

function settled<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function openStore(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  const database = await settled(request);
  const transaction = database.transaction(STORE, mode);
  transaction.oncomplete = () => database.close();
  transaction.onabort = () => database.close();
  return transaction.objectStore(STORE);
}

export type DraftStore = {
  read: () => Promise<ProjectDocument | null>;
  keep: (version: number, document: EditorDocument) => void;
  drop: () => void;
};

/**
 * What this person has changed in a project's document and not saved, kept in this browser. Where nothing can be kept
 * (a private window, a full disk) it does nothing: saving itself does not need it.
 */
export function draftStore(userId: string, projectId: string): DraftStore {
  const key = `${userId}:${projectId}`;
  // One after the other: what was dropped last stays dropped.
  let last: Promise<unknown> = Promise.resolve();
  const next = (work: () => Promise<unknown>) => {
    last = last.then(work).catch(() => undefined);
  };
  return {
    read: async () => {
      try {
        const kept = await settled((await openStore('readonly')).get(key));
        return projectDocument.safeParse(kept).data ?? null;
      } catch {
        return null;
      }
    },
    keep: (version, document) =>
      next(async () => settled((await openStore('readwrite')).put({ ...document, version }, key))),
    drop: () => next(async () => settled((await openStore('readwrite')).delete(key))),
  };
}
