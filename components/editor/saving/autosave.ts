import { SaidError } from '@/components/feedback/describe-error';
import { type ProjectDocument, projectDocument } from '@/lib/export/schema';
import { ApiError, OfflineError } from '@/lib/http/client';
import type { EditorDocument } from '../editor-change';
import { type AutosaveEvent, type AutosaveState, autosaveReducer, dueAt, saveStatus } from './autosave-state';

/** A draft is kept when nothing was changed for this long, in milliseconds; */
const DRAFT_MS = 200;
/** or when a change is this old: what a crash can cost. A large document takes its time to be kept. */
const DRAFT_WAIT_MS = 2000;
/** So many saves without an answer are remembered, to know them again on the server. */
const MAX_UNANSWERED = 8;

/** What the saving needs of the world around it. */
export type AutosaveWorld = {
  /** Saves over a version, and answers the new one. */
  send: (document: EditorDocument, version: number) => Promise<number>;
  read: () => Promise<ProjectDocument>;
  /** With what was sent over the version and not answered. */
  keepDraft: (version: number, document: EditorDocument, sent: readonly EditorDocument[]) => void;
  dropDraft: () => void;
  /** Milliseconds. */
  now: () => number;
  /** Calls back after so many milliseconds; the returned function calls it off. */
  wait: (ms: number, then: () => void) => () => void;
};

export type Autosave = {
  get: () => AutosaveState;
  subscribe: (onChange: () => void) => () => void;
  changed: (document: EditorDocument) => void;
  /** Saves now what is not saved. */
  hurry: () => void;
  /** Resolves when all is saved; rejects when that fails. */
  flush: () => Promise<void>;
  online: () => void;
  /** Saves what is here over whatever the server has. */
  keepMine: () => Promise<void>;
  /** Gives up what is here for what the server has, and answers that. */
  takeTheirs: () => Promise<EditorDocument>;
};

/** A document's content without its version, as one object. */
export function contentOf({ format, orientation, cover, pages }: EditorDocument): EditorDocument {
  return { format, orientation, cover, pages };
}

/** Whether two documents say the same, in whatever order their fields are. */
export function sameContent(a: EditorDocument, b: EditorDocument): boolean {
  const text = (document: EditorDocument) =>
    JSON.stringify(projectDocument.parse({ ...document, version: 0 }));
  return text(a) === text(b);
}

function errorOf({ trouble }: AutosaveState): unknown {
  if (trouble?.kind === 'failed') return trouble.error;
  return trouble?.kind === 'conflict'
    ? new SaidError('Somebody else saved a newer version of this document. Choose first which one is kept.')
    : new OfflineError();
}

/**
 * Saves a document by itself: one save at a time, the newest state next, and a draft for as long as it is not saved.
 * `sentBefore` may have been saved from here, earlier: it is nobody else's.
 */
export function createAutosave(
  start: AutosaveState,
  world: AutosaveWorld,
  sentBefore: readonly EditorDocument[] = [],
): Autosave {
  const listeners = new Set<() => void>();
  let state = start;
  let callOff: (() => void) | null = null;
  let callOffDraft: (() => void) | null = null;
  let draftSince: number | null = null;
  // Sent over the version that is known, and never heard of: one of them may be what the server has.
  let unanswered = sentBefore;

  const become = (event: AutosaveEvent) => {
    const next = autosaveReducer(state, event);
    if (next === state) return;
    state = next;
    plan();
    for (const onChange of listeners) onChange();
  };

  function plan(): void {
    callOff?.();
    callOff = null;
    const due = dueAt(state);
    if (due === null) return;
    const left = due - world.now();
    if (left <= 0) void save();
    else callOff = world.wait(left, plan);
  }

  async function save(): Promise<void> {
    become({ type: 'started' });
    const { sending, version } = state;
    if (!sending) return;
    try {
      arrived(sending, await world.send(sending, version));
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return meet(sending);
      // All were sent over one version, so that at most one of them is there: the earlier the likelier.
      if (!unanswered.includes(sending)) unanswered = [...unanswered, sending].slice(0, MAX_UNANSWERED);
      become({ type: 'failed', error, at: world.now() });
    }
  }

  function arrived(document: EditorDocument, version: number): void {
    unanswered = [];
    if (state.current === document) world.dropDraft();
    become({ type: 'saved', version, document });
    keepDraft();
  }

  function keepDraft(): void {
    const { version, current, saved, sending } = state;
    if (current === saved) return;
    world.keepDraft(version, current, sending && sending !== current ? [...unanswered, sending] : unanswered);
  }

  /** Somebody has saved since. It may have been a save from here, whose answer was lost. */
  async function meet(sent: EditorDocument): Promise<void> {
    let theirs: ProjectDocument;
    try {
      theirs = await world.read();
    } catch (error) {
      // Whose it is will be seen with the next try.
      return become({ type: 'failed', error, at: world.now() });
    }
    const own = [sent, ...unanswered].find((document) => sameContent(theirs, document));
    if (own) return arrived(own, theirs.version);
    unanswered = [];
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
          // Unless it is tried again at once.
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
    online: () => become({ type: 'online' }),
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
