import { UserFacingError } from '@/components/feedback/describe-error';
import type { Choose, Conflict } from '@/lib/document/merge/conflict';
import { mergeDocuments } from '@/lib/document/merge/merge-documents';
import { isSame } from '@/lib/document/merge/same-value';
import type { ProjectDocument } from '@/lib/document/schema';
import { ApiError, OfflineError } from '@/lib/http/client';
import { contentOf, type EditorDocument } from '../editor-change';
import { type AutosaveEvent, type AutosaveState, autosaveReducer, dueAt, saveStatus } from './autosave-state';

/** Milliseconds without a change after which a draft is stored. */
const DRAFT_MS = 200;
/**
 * The longest time in milliseconds that a change waits before a draft is stored. This limits what a crash can lose.
 * Storing a large document takes time, so a draft is not stored on every change.
 */
const DRAFT_WAIT_MS = 2000;
/**
 * Maximum number of unconfirmed documents to remember. A document is unconfirmed if saving it failed but the server may
 * have stored it, for example if only the response was lost.
 */
const MAX_UNACKNOWLEDGED = 8;
/**
 * The codes of the 409 responses for a closed project or an archived document. All other 409 responses mean that there
 * is a newer version.
 */
const closedCodes: ReadonlySet<string | undefined> = new Set(['project_closed', 'document_archived']);

/** A document with unsaved changes. */
export type Unsaved = {
  document: EditorDocument;
  /** The version that the next save is based on. */
  version: number;
  /** The content of `version`; null if unknown. */
  base: EditorDocument | null;
  /**
   * The documents that were sent to replace `version` but were not confirmed. The server may have stored one of them.
   */
  sent: readonly EditorDocument[];
};

/** The result of merging the server's newer version into the document. */
export type Merged = {
  document: EditorDocument;
  theirs: EditorDocument;
  /**
   * The version that both the server's and the user's changes are based on. Null if it is unknown, or if the user's
   * document and `theirs` could not be merged and `document` is one of them.
   */
  base: EditorDocument | null;
};

/** The dependencies of autosave: server, editor, draft storage and clock. */
export type AutosaveDependencies = {
  /** Saves the document as the successor of `version` and resolves to the new version. */
  send: (document: EditorDocument, version: number) => Promise<number>;
  read: () => Promise<ProjectDocument>;
  /** Shows the merged document in the editor. */
  adopt: (merged: Merged) => void;
  /** Returns whether the user is doing something that loading another version would disturb, such as dragging. */
  isBusy: () => boolean;
  keepDraft: (draft: Unsaved) => void;
  dropDraft: () => void;
  /** The current time in milliseconds. */
  now: () => number;
  /** Calls `then` after `ms` milliseconds; returns a function that cancels the call. */
  wait: (ms: number, then: () => void) => () => void;
};

export type Autosave = {
  get: () => AutosaveState;
  subscribe: (onChange: () => void) => () => void;
  /** Must be called after each change of the editor's state, even if the document is the same. */
  changed: (document: EditorDocument) => void;
  /**
   * Must be called when the server is known to have this version. `savedBy` is the user who saved it, or null if
   * unknown. A newer version is loaded as soon as everything is saved and the user is not busy.
   */
  onVersion: (version: number, savedBy: string | null) => void;
  /** Starts saving unsaved changes now. */
  hurry: () => void;
  /**
   * Saves now. Resolves when everything is saved; rejects when saving fails or the user must first resolve a conflict.
   */
  flush: () => Promise<void>;
  online: () => void;
  /** Returns the conflicts to resolve before the document can be saved; empty if there are none. */
  conflicts: () => Conflict[];
  /** Merges the conflicting version, resolving conflicts with `choose`, and saves the result. */
  resolve: (choose: Choose) => void;
  /**
   * Reads the server's version, then starts a save that overwrites it with the current document. Rejects if reading
   * fails.
   */
  keepMine: () => Promise<void>;
  /**
   * Discards the unsaved changes and resolves to the server's document. If reading it fails, rejects and keeps the
   * changes.
   */
  takeTheirs: () => Promise<EditorDocument>;
  /**
   * Discards the unsaved changes without reading the server's document, which may no longer exist. The current document
   * then counts as saved.
   */
  discard: () => void;
};

/** Returns whether two documents have the same content, regardless of the order of their fields. */
export function sameContent(a: EditorDocument, b: EditorDocument): boolean {
  return isSame(contentOf(a), contentOf(b));
}

function errorOf({ trouble }: AutosaveState): unknown {
  if (trouble?.kind === 'failed') return trouble.error;
  return trouble?.kind === 'conflict'
    ? new UserFacingError(
        'Someone else saved a newer version of this document. First choose which changes to keep.',
      )
    : new OfflineError();
}

/**
 * Saves a document automatically, one save at a time and always the latest state. Keeps a draft until everything is
 * saved. Merges the versions that others save. Reports a conflict only where both sides changed the same thing
 * differently, or for the whole document if the versions cannot be merged. `sentBefore` contains documents that an
 * earlier editor of this draft may have sent without getting a response. Finding one of them on the server is not a
 * conflict.
 */
export function createAutosave(
  start: AutosaveState,
  dependencies: AutosaveDependencies,
  sentBefore: readonly EditorDocument[] = [],
): Autosave {
  const listeners = new Set<() => void>();
  let state = start;
  let cancelDrag: (() => void) | null = null;
  let cancelDraft: (() => void) | null = null;
  let draftSince: number | null = null;
  // Documents that were sent to replace `state.version`, but whose save failed. The server may still have stored one of
  // them.
  let unconfirmed = sentBefore;
  // The newest version that the server is known to have.
  let newest: { version: number; savedBy: string | null } = { version: 0, savedBy: null };
  let isReading = false;

  const become = (event: AutosaveEvent) => {
    const next = autosaveReducer(state, event);
    if (next === state) return;
    state = next;
    plan();
    for (const onChange of listeners) onChange();
    void catchUp();
  };

  function plan(): void {
    cancelDrag?.();
    cancelDrag = null;
    const due = dueAt(state);
    if (due === null) return;
    const left = due - dependencies.now();
    if (left <= 0) void save();
    else cancelDrag = dependencies.wait(left, plan);
  }

  async function save(): Promise<void> {
    become({ type: 'started' });
    const { sending, version } = state;
    if (!sending) return;
    if (newest.version > version) return meet(sending);
    try {
      arrived(sending, await dependencies.send(sending, version));
    } catch (error) {
      const isClosed = error instanceof ApiError && closedCodes.has(error.code);
      const isOutdated = error instanceof ApiError && error.status === 409 && !isClosed;
      if (isOutdated) return meet(sending);
      // Keep the earliest documents. All were sent to replace the same version, so the server stored at most one,
      // probably an early one.
      if (!unconfirmed.includes(sending))
        unconfirmed = [...unconfirmed, sending].slice(0, MAX_UNACKNOWLEDGED);
      become({ type: 'failed', error, at: dependencies.now() });
    }
  }

  function arrived(document: EditorDocument, version: number): void {
    unconfirmed = [];
    if (state.current === document) dependencies.dropDraft();
    become({ type: 'saved', version, document });
    keepDraft();
  }

  function keepDraft(): void {
    const { version, current, saved, sending } = state;
    if (current === saved) return;
    const sent = sending && sending !== current ? [...unconfirmed, sending] : unconfirmed;
    dependencies.keepDraft({ document: current, version, base: saved, sent });
  }

  async function read(): Promise<ProjectDocument> {
    const before = newest;
    const document = await dependencies.read();
    const { version } = document;
    // An even newer version may have been reported while this one was being read. If so, keep that report.
    const isCurrent = version > newest.version || newest === before;
    if (isCurrent && newest.version !== version) newest = { version, savedBy: null };
    return document;
  }

  /** Handles a newer version on the server. It may be one of this user's own saves whose response was lost. */
  async function meet(sent: EditorDocument): Promise<void> {
    let theirs: ProjectDocument;
    try {
      theirs = await read();
    } catch (error) {
      // The server's version could not be read, so the next attempt has to find out whether there is a conflict.
      return become({ type: 'failed', error, at: dependencies.now() });
    }
    const own = [sent, ...unconfirmed].find((document) => sameContent(theirs, document));
    if (own) return arrived(own, theirs.version);
    unconfirmed = [];
    merge(theirs);
  }

  /**
   * Merges a newer version into the document. If there are conflicts but no `choose`, reports the conflicts instead.
   */
  function merge({ version, ...theirs }: ProjectDocument, choose?: Choose): void {
    const { saved, current } = state;
    const savedBy = newest.version === version ? newest.savedBy : null;
    const { document, conflicts } = mergeDocuments(saved, current, theirs, choose);
    if (conflicts.length > 0 && !choose) {
      become({ type: 'conflicted', version, theirs, savedBy });
      return;
    }
    const isSaved = sameContent(document, theirs);
    const isWhole = conflicts.some(({ kind }) => kind === 'document');
    become({ type: 'merged', document, version, saved: isSaved ? document : theirs, savedBy });
    dependencies.adopt({ document, theirs, base: isWhole ? null : saved });
    if (isSaved) dependencies.dropDraft();
    else keepDraft();
  }

  /**
   * Loads a newer version if everything is saved and the user is not busy. Otherwise, a later call loads it or the next
   * save merges it.
   */
  async function catchUp(): Promise<void> {
    const isDue = () =>
      newest.version > state.version &&
      state.current === state.saved &&
      !state.sending &&
      !state.trouble &&
      !dependencies.isBusy();
    if (isReading || !isDue()) return;
    isReading = true;
    // Ignore a failed read. The next event or save makes up for it.
    const theirs = await read().catch(() => null);
    isReading = false;
    if (theirs && isDue()) merge(theirs);
  }

  function keepDraftSoon(): void {
    const now = dependencies.now();
    draftSince ??= now;
    cancelDraft?.();
    cancelDraft = dependencies.wait(Math.max(0, Math.min(DRAFT_MS, draftSince + DRAFT_WAIT_MS - now)), () => {
      draftSince = null;
      keepDraft();
    });
  }

  if (dueAt(start) !== null) plan();

  const subscribe = (onChange: () => void) => {
    listeners.add(onChange);
    return () => {
      listeners.delete(onChange);
    };
  };
  return {
    get: () => state,
    subscribe,
    changed: (document) => {
      if (document === state.current) {
        // The document is the same, but the user may no longer be busy.
        void catchUp();
        return;
      }
      become({ type: 'changed', document, at: dependencies.now() });
      if (state.current === state.saved) dependencies.dropDraft();
      else keepDraftSoon();
    },
    onVersion: (version, savedBy) => {
      const isNews = version > newest.version || (version === newest.version && savedBy !== null);
      if (isNews) newest = { version, savedBy };
      // A conflict with this version may have been reported before it was known who saved the version.
      if (savedBy !== null) become({ type: 'attributed', version, savedBy });
      void catchUp();
    },
    hurry: () => become({ type: 'hurried' }),
    flush: () =>
      new Promise((resolve, reject) => {
        const settle = () => {
          const status = saveStatus(state);
          if (status === 'saved') resolve();
          // Reject if there is a problem, unless a retry starts immediately.
          else if (state.trouble && dueAt(state) !== 0) reject(errorOf(state));
          else return false;
          return true;
        };
        if (saveStatus(state) === 'saved') return resolve();
        become({ type: 'hurried' });
        if (settle()) return;
        const stop = subscribe(() => {
          if (settle()) stop();
        });
      }),
    online: () => become({ type: 'reconnected' }),
    conflicts: () => {
      const { trouble, saved, current } = state;
      return trouble?.kind === 'conflict' ? mergeDocuments(saved, current, trouble.theirs).conflicts : [];
    },
    resolve: (choose) => {
      const { trouble } = state;
      if (trouble?.kind === 'conflict') merge({ ...trouble.theirs, version: trouble.version }, choose);
    },
    keepMine: async () => {
      const { version, ...saved } = await read();
      become({ type: 'kept-mine', version, saved });
      keepDraft();
    },
    takeTheirs: async () => {
      const { version, ...document } = await read();
      dependencies.dropDraft();
      become({ type: 'took-theirs', document, version });
      return document;
    },
    discard: () => {
      dependencies.dropDraft();
      become({ type: 'discarded' });
    },
  };
}
