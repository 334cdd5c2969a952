import { ApiError, OfflineError } from '@/lib/http/client';
import type { EditorDocument } from '../editor-change';

/** A save starts after this long without a change, in milliseconds, */
export const SETTLE_MS = 1000;
/** or when the oldest unsaved change is this old. */
export const MAX_WAIT_MS = 4000;
/** Delay before the retry after a transient failure. */
export const RETRY_MS = 5000;

type Trouble =
  | { kind: 'offline'; retryAt: number }
  /** Without `retryAt`, the next attempt waits for another change or for "Try again". */
  | { kind: 'failed'; error: unknown; retryAt: number | null }
  /** The server has a newer version whose changes meet those that are not saved. */
  | { kind: 'conflict'; version: number; theirs: EditorDocument };

/** The state of a document here and on the server. Documents are compared by identity. */
export type AutosaveState = {
  /** The version that the next save is based on. */
  version: number;
  /** The content of `version`; null when it is unknown, as for a draft that was stored without it. */
  saved: EditorDocument | null;
  current: EditorDocument;
  /** The document being saved. */
  sending: EditorDocument | null;
  /** Times of the oldest and newest changes that have not been sent. */
  changedAt: { first: number; last: number } | null;
  /** The next save starts without delay. */
  hurried: boolean;
  trouble: Trouble | null;
  /** Somebody else's changes are part of the document since the last change here; with their user id if known. */
  joined: { savedBy: string | null } | null;
};

export type AutosaveEvent =
  | { type: 'changed'; document: EditorDocument; at: number }
  | { type: 'hurried' }
  | { type: 'started' }
  /** The server has stored the document being saved, or `document`, which was sent earlier. */
  | { type: 'saved'; version: number; document?: EditorDocument }
  | { type: 'failed'; error: unknown; at: number }
  | { type: 'conflicted'; version: number; theirs: EditorDocument }
  | { type: 'reconnected' }
  /** Continues from this version of the server with a document that contains its changes. */
  | {
      type: 'merged';
      document: EditorDocument;
      version: number;
      saved: EditorDocument;
      savedBy: string | null;
    }
  /** Continues from this version and overwrites what the server has. */
  | { type: 'kept-mine'; version: number; saved: EditorDocument }
  | { type: 'took-theirs'; document: EditorDocument; version: number };

export type SaveStatus = 'saved' | 'unsaved' | 'saving' | 'offline' | 'failed' | 'conflict';

/** The initial state. `current` is the document shown: the saved one or a stored draft. */
export function startAutosave(
  version: number,
  saved: EditorDocument | null,
  current: EditorDocument,
): AutosaveState {
  const hurried = saved !== current;
  return { version, saved, current, sending: null, changedAt: null, hurried, trouble: null, joined: null };
}

export function saveStatus(state: AutosaveState): SaveStatus {
  if (state.trouble) return state.trouble.kind;
  if (state.sending) return 'saving';
  return state.current === state.saved ? 'saved' : 'unsaved';
}

function troubleOf(error: unknown, at: number): Trouble {
  if (error instanceof OfflineError) return { kind: 'offline', retryAt: at + RETRY_MS };
  const passes = error instanceof ApiError && (error.status >= 500 || [408, 429].includes(error.status));
  if (!passes) return { kind: 'failed', error, retryAt: null };
  return { kind: 'failed', error, retryAt: at + Math.max(RETRY_MS, (error.retryAfterS ?? 0) * 1000) };
}

/** When the next save is due, in milliseconds on the clock of the events; null when none is pending. */
export function dueAt({
  saved,
  current,
  sending,
  changedAt,
  hurried,
  trouble,
}: AutosaveState): number | null {
  if (sending !== null || trouble?.kind === 'conflict') return null;
  // A failed save may have arrived, so even a change that was undone since must be sent.
  if (trouble) return hurried ? 0 : trouble.retryAt;
  if (current === saved) return null;
  if (hurried || !changedAt) return 0;
  return Math.min(changedAt.last + SETTLE_MS, changedAt.first + MAX_WAIT_MS);
}

/** The next state. Returns the same object when nothing changes. */
export function autosaveReducer(state: AutosaveState, event: AutosaveEvent): AutosaveState {
  const { trouble } = state;
  switch (event.type) {
    case 'changed': {
      if (event.document === state.current) return state;
      const changedAt = { first: state.changedAt?.first ?? event.at, last: event.at };
      // This change may fix what the server rejected.
      const mended = trouble?.kind === 'failed' && trouble.retryAt === null ? null : trouble;
      return { ...state, current: event.document, changedAt, trouble: mended, joined: null };
    }
    case 'hurried':
      return state.hurried || saveStatus(state) === 'saved' ? state : { ...state, hurried: true };
    case 'started':
      return { ...state, sending: state.current, changedAt: null, hurried: false, trouble: null };
    case 'saved': {
      const { sending, current, changedAt } = state;
      if (!sending) return state;
      const saved = event.document ?? sending;
      const rest = current === saved ? { changedAt: null, hurried: false } : { changedAt };
      return { ...state, ...rest, version: event.version, saved, sending: null, trouble: null };
    }
    case 'failed':
      return { ...state, sending: null, hurried: false, trouble: troubleOf(event.error, event.at) };
    case 'conflicted': {
      const { version, theirs } = event;
      return { ...state, sending: null, hurried: false, trouble: { kind: 'conflict', version, theirs } };
    }
    case 'merged': {
      const { version, saved, document, savedBy } = event;
      return { ...startAutosave(version, saved, document), joined: { savedBy } };
    }
    case 'reconnected':
      return trouble?.kind === 'offline' ? { ...state, hurried: true } : state;
    case 'kept-mine':
      return startAutosave(event.version, event.saved, state.current);
    case 'took-theirs':
      return startAutosave(event.version, event.document, event.document);
  }
}
