import { UserFacingError } from '@/components/feedback/describe-error';
import { type ProjectDocument, projectDocument } from '@/lib/document/schema';
import { ApiError, OfflineError } from '@/lib/http/client';
import type { EditorDocument } from '../editor-change';
import { type AutosaveEvent, type AutosaveState, autosaveReducer, dueAt, saveStatus } from './autosave-state';

/** A draft is stored after this long without a change, in milliseconds, */
const DRAFT_MS = 200;
/** or when the oldest change is this old, the most that a crash can lose. Storing a large document takes time. */
const DRAFT_WAIT_MS = 2000;
/** How many saves without a response to remember, to recognize one of them on the server. */
const MAX_UNANSWERED = 8;

/** The dependencies of autosave: server, draft storage and clock. */
export type AutosaveWorld = {
  /** Saves over a version and resolves to the new one. */
  send: (document: EditorDocument, version: number) => Promise<number>;
  read: () => Promise<ProjectDocument>;
  /** Stores a draft. `sent` are the documents that were sent over `version` without a response. */
  keepDraft: (version: number, document: EditorDocument, sent: readonly EditorDocument[]) => void;
  dropDraft: () => void;
  /** The current time in milliseconds. */
  now: () => number;
  /** Calls `then` after `ms` milliseconds; returns a function that cancels it. */
  wait: (ms: number, then: () => void) => () => void;
};

export type Autosave = {
  get: () => AutosaveState;
  subscribe: (onChange: () => void) => () => void;
  changed: (document: EditorDocument) => void;
  /** Saves unsaved changes now. */
  hurry: () => void;
  /** Saves now. Resolves when everything is saved; rejects when saving fails. */
  flush: () => Promise<void>;
  online: () => void;
  /** Overwrites the server's document with this one. */
  keepMine: () => Promise<void>;
  /** Discards this document for the server's and resolves to it. */
  takeTheirs: () => Promise<EditorDocument>;
};

/** The content of a document without its version. */
export function contentOf({ format, orientation, language, cover, pages }: EditorDocument): EditorDocument {
  return { format, orientation, language, cover, pages };
}

/** Whether two documents have the same content, regardless of the order of their fields. */
export function sameContent(a: EditorDocument, b: EditorDocument): boolean {
  const text = (document: EditorDocument) =>
    JSON.stringify(projectDocument.parse({ ...document, version: 0 }));
  return text(a) === text(b);
}

function errorOf({ trouble }: AutosaveState): unknown {
  if (trouble?.kind === 'failed') return trouble.error;
  return trouble?.kind === 'conflict'
    ? new UserFacingError(
        'Somebody else saved a newer version of this document. First choose which one to keep.',
      )
    : new OfflineError();
}

/**
 * Saves a document automatically: one save at a time, always the latest state, with a draft until it is saved.
 * `sentBefore` are documents that this user sent earlier without a response; finding one on the server is no conflict.
 */
export function createAutosave(
  start: AutosaveState,
  world: AutosaveWorld,
  sentBefore: readonly EditorDocument[] = [],
): Autosave {
  const listeners = new Set<() => void>();
  let state = start;
  let cancelDrag: (() => void) | null = null;
  let callOffDraft: (() => void) | null = null;
  let draftSince: number | null = null;
  // Documents sent over the known version without a response; the server may have stored one of them.
  let unconfirmed = sentBefore;

  const become = (event: AutosaveEvent) => {
    const next = autosaveReducer(state, event);
    if (next === state) return;
    state = next;
    plan();
    for (const onChange of listeners) onChange();
  };

  function plan(): void {
    cancelDrag?.();
    cancelDrag = null;
    const due = dueAt(state);
    if (due === null) return;
    const left = due - world.now();
    if (left <= 0) void save();
    else cancelDrag = world.wait(left, plan);
  }

  async function save(): Promise<void> {
    become({ type: 'started' });
    const { sending, version } = state;
    if (!sending) return;
    try {
      arrived(sending, await world.send(sending, version));
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return meet(sending);
      // All were sent over the same version, so at most one was stored; the earlier ones are more likely.
      if (!unconfirmed.includes(sending)) unconfirmed = [...unconfirmed, sending].slice(0, MAX_UNANSWERED);
      become({ type: 'failed', error, at: world.now() });
    }
  }

  function arrived(document: EditorDocument, version: number): void {
    unconfirmed = [];
    if (state.current === document) world.dropDraft();
    become({ type: 'saved', version, document });
    keepDraft();
  }

  function keepDraft(): void {
    const { version, current, saved, sending } = state;
    if (current === saved) return;
    world.keepDraft(
      version,
      current,
      sending && sending !== current ? [...unconfirmed, sending] : unconfirmed,
    );
  }

  /** Handles a version conflict, which may be an own save whose response was lost. */
  async function meet(sent: EditorDocument): Promise<void> {
    let theirs: ProjectDocument;
    try {
      theirs = await world.read();
    } catch (error) {
      // Without the server's version, only the next attempt can tell whether this is a conflict.
      return become({ type: 'failed', error, at: world.now() });
    }
    const own = [sent, ...unconfirmed].find((document) => sameContent(theirs, document));
    if (own) return arrived(own, theirs.version);
    unconfirmed = [];
    become({ type: 'conflicted' });
  }

  function keepDraftSoon(): void {
    const now = world.now();
    draftSince ??= now;
    callOffDraft?.();
    callOffDraft = world.wait(Math.max(0, Math.min(DRAFT_MS, draftSince + DRAFT_WAIT_MS - now)), () => {
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
      if (document === state.current) return;
      become({ type: 'changed', document, at: world.now() });
      if (state.current === state.saved) world.dropDraft();
      else keepDraftSoon();
    },
    hurry: () => become({ type: 'hurried' }),
    flush: () =>
      new Promise((resolve, reject) => {
        const settle = () => {
          const status = saveStatus(state);
          if (status === 'saved') resolve();
          // Reject unless an immediate retry is pending.
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
    keepMine: async () => {
      const { version } = await world.read();
      become({ type: 'kept-mine', version });
    },
    takeTheirs: async () => {
      const theirs = await world.read();
      const document = contentOf(theirs);
      world.dropDraft();
      become({ type: 'took-theirs', document, version: theirs.version });
      return document;
    },
  };
}
