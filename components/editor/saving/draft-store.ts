import { z } from 'zod';
import { newKey } from '@/hooks/new-key';
import { projectDocument } from '@/lib/document/schema';
import type { Unsaved } from './autosave';
import { lockName } from './lock-name';

const DATABASE = 'atelier-documents';
const STORE = 'drafts';
/** Maximum age of a draft. Older ones are deleted. */
const MAX_AGE_MS = 30 * 24 * 3_600_000;

const content = projectDocument.omit({ version: true });
/**
 * An unsaved document. `version` is the version that the next save is based on. `base` is the content of that version,
 * or null if unknown. `sent` contains the documents that were already sent to the server to replace that version. None
 * of these saves was confirmed, but the server may have stored one of the documents. `at` is when the draft was stored,
 * in ms since the epoch.
 */
const draft = projectDocument.extend({
  // Without a valid `base` or `sent`, the next merge is less accurate, but losing the whole draft would be worse.
  base: content.nullable().catch(null),
  sent: z.array(content).catch([]),
  at: z.number(),
});
export type DocumentDraft = z.output<typeof draft>;

export type DraftStore = {
  /** The draft that was taken over from an editor that was closed; null if there was none. */
  found: DocumentDraft | null;
  keep: (draft: Unsaved) => void;
  drop: () => void;
  /** Releases the draft, so that the next editor of the document can take it over. Pending writes still finish. */
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

/** Returns the drafts whose keys start with `prefix`, newest first. Skips and deletes those older than `MAX_AGE_MS`. */
async function readDrafts(prefix: string): Promise<{ key: string; draft: DocumentDraft }[]> {
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

async function readDraft(key: string): Promise<DocumentDraft | null> {
  const store = await openStore('readonly');
  return draft.safeParse(await settled<unknown>(store.get(key))).data ?? null;
}

type Owned = { key: string; found: DocumentDraft | null; giveBack: () => void };

async function own(prefix: string): Promise<Owned> {
  const kept = await readDrafts(prefix).catch(() => []);
  for (const { key, draft } of [...kept, { key: `${prefix}${newKey()}`, draft: null }]) {
    const giveBack = await lockName(key);
    // Read the draft again: another tab may have saved its changes and deleted it in the meantime.
    if (giveBack) return { key, found: draft && (await readDraft(key)), giveBack };
  }
  throw new Error('A new name was taken.');
}

/**
 * Stores a user's unsaved changes to a document in this browser, as one draft per tab. Takes over the newest draft that
 * no open tab uses. Without the Web Locks API, takes over the newest draft even if an open tab uses it. If browser
 * storage is not available, for example in a private window or on a full disk, no draft is kept, but saving to the
 * server still works.
 */
export async function openDrafts(userId: string, documentId: string): Promise<DraftStore> {
  const { key, found, giveBack } = await own(`${userId}:${documentId}:`);
  let isClosed = false;
  // Writes run in order, so that an earlier write cannot bring back a deleted draft.
  let last: Promise<unknown> = Promise.resolve();
  const next = (work: (store: IDBObjectStore) => IDBRequest) => {
    const isLeft = isClosed;
    const write = async () => {
      // After `close`, another tab may own the draft. Then `lockName` returns null, and this write is skipped.
      const done = isLeft ? await lockName(key) : () => undefined;
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
    keep: ({ document, version, base, sent }) =>
      next((store) =>
        store.put(
          { ...document, version, base, sent: [...sent], at: Date.now() } satisfies DocumentDraft,
          key,
        ),
      ),
    drop: () => next((store) => store.delete(key)),
    close: () => {
      isClosed = true;
      // Release the lock after all pending writes.
      void last.then(giveBack);
    },
  };
}
