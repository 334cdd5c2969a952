import { z } from 'zod';
import { newKey } from '@/hooks/new-key';
import { projectDocument } from '@/lib/export/schema';
import type { EditorDocument } from '../editor-change';
import { takeName } from './own-name';

const DATABASE = 'atelier-documents';
const STORE = 'drafts';
/** Nobody comes back for a draft after this. */
const MAX_AGE_MS = 30 * 24 * 3_600_000;

/**
 * What was not saved of a document: `version` is what the next save is made over, `sent` was sent over it without an
 * answer, so that it may be what the server has. `at` says when it was kept, in milliseconds.
 */
const draft = projectDocument.extend({
  // Without them one may be asked about a save of one's own; that is no reason to lose the draft.
  sent: z.array(projectDocument.omit({ version: true })).catch([]),
  at: z.number(),
});
export type Draft = z.output<typeof draft>;

export type DraftStore = {
  /** What a tab that is gone has left, taken over by this one. */
  found: Draft | null;
  keep: (version: number, document: EditorDocument, sent: readonly EditorDocument[]) => void;
  drop: () => void;
  /** Leaves what is kept to whoever opens the document next. What is still saved here goes on until then. */
  close: () => void;
};

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

const aged = z.object({ at: z.number() });

/** All drafts whose keys begin so, the newest first. Those that are too old are deleted. */
async function readDrafts(prefix: string): Promise<{ key: string; draft: Draft }[]> {
  const store = await openStore('readwrite');
  const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
  const [keys, values] = await Promise.all([
    settled(store.getAllKeys(range)),
    settled<unknown[]>(store.getAll(range)),
  ]);
  const drafts = keys.flatMap((key, index) => {
    const age = Date.now() - (aged.safeParse(values[index]).data?.at ?? 0);
    if (age > MAX_AGE_MS) {
      store.delete(key);
      return [];
    }
    const { data } = draft.safeParse(values[index]);
    return data ? [{ key: String(key), draft: data }] : [];
  });
  return drafts.sort((a, b) => b.draft.at - a.draft.at);
}

async function readDraft(key: string): Promise<Draft | null> {
  const store = await openStore('readonly');
  return draft.safeParse(await settled<unknown>(store.get(key))).data ?? null;
}

type Owned = { key: string; found: Draft | null; giveBack: () => void };

async function own(prefix: string): Promise<Owned> {
  const kept = await readDrafts(prefix).catch(() => []);
  for (const { key, draft } of [...kept, { key: `${prefix}${newKey()}`, draft: null }]) {
    const giveBack = await takeName(key);
    // It may have been saved and dropped until its name was free.
    if (giveBack) return { key, found: draft && (await readDraft(key)), giveBack };
  }
  throw new Error('A new name was taken.');
}

/**
 * Keeps in this browser what this person has changed in a project's document and not saved: each tab its own draft,
 * where the browser knows locks. One that a closed or crashed tab has left is taken over, the newest of them. Where
 * nothing can be kept (a private window, a full disk) it does nothing: saving itself does not need it.
 */
export async function openDrafts(userId: string, projectId: string): Promise<DraftStore> {
  const { key, found, giveBack } = await own(`${userId}:${projectId}:`);
  let isClosed = false;
  // One after the other: what was dropped last stays dropped.
  let last: Promise<unknown> = Promise.resolve();
  const next = (work: (store: IDBObjectStore) => IDBRequest) => {
    const isLeft = isClosed;
    const write = async () => {
      // Left behind, it may be another's by now.
      const done = isLeft ? await takeName(key) : () => undefined;
      if (!done) return;
      try {
        await settled(work(await openStore('readwrite')));
      } finally {
        done();
      }
    };
    last = last.then(write).catch(() => undefined);
  };
  return {
    found,
    keep: (version, document, sent) =>
      next((store) =>
        store.put({ ...document, version, sent: [...sent], at: Date.now() } satisfies Draft, key),
      ),
    drop: () => next((store) => store.delete(key)),
    close: () => {
      isClosed = true;
      // After what is on its way to be kept.
      void last.then(giveBack);
    },
  };
}
