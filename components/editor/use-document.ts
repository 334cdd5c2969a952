'use client';

import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { formatAbsolute } from '@/components/format/time';
import { coalesced } from '@/hooks/coalesced';
import { type DocumentKey, documentIdOf } from '@/lib/document/document-key';
import { changeBetween } from '@/lib/document/merge/merge-documents';
import type { ProjectDocument } from '@/lib/document/schema';
import { putDocument, readDocument } from './document-calls';
import { parseDocumentUrl } from './document-url';
import type { EditorDocument } from './editor-change';
import { contentOf } from './editor-change';
import { openEditor } from './editor-state';
import { createEditorStore, type EditorStore } from './editor-store';
import { registerOpen, startFinalSave, waitForFinalSave } from './open-documents';
import { type Autosave, createAutosave, type Merged, sameContent } from './saving/autosave';
import { type AutosaveState, saveStatus, startAutosave } from './saving/autosave-state';
import { type DraftStore, openDrafts } from './saving/draft-store';

type Opened = {
  store: EditorStore;
  autosave: Autosave | null;
  onVersion: Autosave['onVersion'];
  stop: () => void;
};
export type OpenDocument =
  | { phase: 'loading' }
  | { phase: 'failed'; error: unknown; reload: () => void }
  /** If `autosave` is null, the document is read-only. */
  | { phase: 'open'; store: EditorStore; autosave: Autosave | null; onVersion: Autosave['onVersion'] };

function wait(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

async function openDocument(
  key: DocumentKey,
  userId: string,
  canEdit: boolean,
  signal: AbortSignal,
): Promise<Opened> {
  if (!canEdit) return openToView(key, await readDocument(key, signal));
  await waitForFinalSave(documentIdOf(key));
  // Open the drafts first, and then read the document. If another tab saves a draft's changes and deletes the draft
  // between these two steps, the document that is read includes those changes.
  const drafts = await openDrafts(userId, documentIdOf(key));
  try {
    return openWithDraft(key, await readDocument(key, signal), drafts);
  } catch (error) {
    drafts.close();
    throw error;
  }
}

function createStore(saved: EditorDocument, canEdit: boolean): EditorStore {
  const { page } = parseDocumentUrl(new URLSearchParams(window.location.search));
  return createEditorStore(openEditor(saved, page), canEdit);
}

/** Opens a document read-only and updates it with each version that anyone saves. */
function openToView(key: DocumentKey, read: ProjectDocument): Opened {
  const store = createStore(contentOf(read), false);
  let shown = read.version;
  const reading = coalesced(async (signal) => {
    // Ignore a failed read: the next call of `onVersion` reads again.
    const theirs = await readDocument(key, signal).catch(() => null);
    if (!theirs || theirs.version <= shown) return;
    shown = theirs.version;
    const { document: before } = store.get();
    const document = changeBetween(before, contentOf(theirs))(before);
    store.dispatch({ type: 'merged', document, base: null, theirs: document });
  });
  const onVersion = (version: number) => {
    if (version > shown) void reading.run();
  };
  return { store, autosave: null, onVersion, stop: reading.stop };
}

function openWithDraft(key: DocumentKey, read: ProjectDocument, drafts: DraftStore): Opened {
  const saved = contentOf(read);
  const store = createStore(saved, true);
  const { found } = drafts;
  const kept = found && !sameContent(found, saved) ? found : null;
  if (found && !kept) drafts.drop();
  if (kept) {
    const at = formatAbsolute(new Date(kept.at).toISOString());
    const message = `Unsaved changes from ${at} were restored.`;
    store.dispatch({ type: 'document-replaced', document: contentOf(kept), message });
  }
  const dependencies = {
    send: (document: EditorDocument, over: number) => putDocument(key, document, over),
    read: () => readDocument(key),
    adopt: (merged: Merged) => store.dispatch({ type: 'merged', ...merged }),
    isBusy: () => {
      const { editing, group } = store.get();
      return editing !== null || group?.startsWith('drag ') === true;
    },
    keepDraft: drafts.keep,
    dropDraft: drafts.drop,
    now: Date.now,
    wait,
  };
  const { document } = store.get();
  // If the draft is based on an older version, the next save finds the server's newer version and merges the two.
  const start =
    kept && kept.version !== read.version
      ? startAutosave(kept.version, kept.base, document)
      : startAutosave(read.version, saved, document);
  // The tab that left the draft may have sent it, or an earlier state of it, without getting the response. If the
  // server saved what that tab sent, this must not count as a conflict.
  const autosave = createAutosave(start, dependencies, kept ? [...kept.sent, document] : []);
  const stopSaving = store.subscribe(() => autosave.changed(store.get().document));
  const close = registerOpen(documentIdOf(key), { store, autosave });
  const stop = () => {
    stopSaving();
    close();
    drafts.close();
  };
  return { store, autosave, onVersion: autosave.onVersion, stop };
}

/**
 * Opens a document and, if `canEdit`, saves changes automatically. Changes that could not be saved are kept in this
 * browser and restored on the next visit.
 */
export function useDocument(
  projectId: string,
  documentId: string,
  userId: string,
  canEdit: boolean,
): OpenDocument {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<OpenDocument>({ phase: 'loading' });
  const reload = useCallback(() => setAttempt((count) => count + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `attempt` reads it again.
  useEffect(() => {
    const controller = new AbortController();
    let opened: Opened | null = null;
    setState({ phase: 'loading' });
    openDocument({ projectId, documentId }, userId, canEdit, controller.signal).then(
      (value) => {
        if (controller.signal.aborted) return value.stop();
        opened = value;
        const { store, autosave, onVersion } = value;
        setState({ phase: 'open', store, autosave, onVersion });
      },
      (error) => {
        if (!controller.signal.aborted) setState({ phase: 'failed', error, reload });
      },
    );
    return () => {
      controller.abort();
      opened?.stop();
      if (opened?.autosave) startFinalSave(documentId, opened.autosave);
    };
  }, [projectId, documentId, userId, canEdit, attempt, reload]);

  return state;
}

/**
 * Returns the autosave state. Saves as soon as the page loses focus or is hidden, or the browser comes back online.
 * Warns before the user leaves the page with unsaved changes.
 */
export function useAutosaveState(autosave: Autosave): AutosaveState {
  const state = useSyncExternalStore(autosave.subscribe, autosave.get, autosave.get);
  const isSaved = saveStatus(state) === 'saved';
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const hurry = () => autosave.hurry();
    const onHidden = () => document.visibilityState === 'hidden' && autosave.hurry();
    window.addEventListener('blur', hurry, { signal });
    window.addEventListener('pagehide', hurry, { signal });
    document.addEventListener('visibilitychange', onHidden, { signal });
    window.addEventListener('online', () => autosave.online(), { signal });
    return () => controller.abort();
  }, [autosave]);
  useEffect(() => {
    if (isSaved) return;
    const onLeave = (event: BeforeUnloadEvent) => {
      // The state may have changed since the last render.
      if (saveStatus(autosave.get()) !== 'saved') event.preventDefault();
    };
    window.addEventListener('beforeunload', onLeave);
    return () => window.removeEventListener('beforeunload', onLeave);
  }, [autosave, isSaved]);
  return state;
}
