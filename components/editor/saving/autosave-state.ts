import { ApiError, OfflineError } from '@/lib/http/client';
import type { EditorDocument } from '../editor-change';

/** Milliseconds without a change after which a save starts. */
export const SETTLE_MS = 1000;
/**
 * The longest time in milliseconds that a change waits before a save starts, unless an earlier save is running or has
 * failed.
 */
export const MAX_WAIT_MS = 4000;
/** Minimum delay before a scheduled retry after a transient failure, in milliseconds. */
export const RETRY_MS = 5000;

type SaveProblem =
  | { kind: 'offline'; retryAt: number }
  /** If `retryAt` is null, the next attempt waits for another change or for a `hurried` event. */
  | { kind: 'failed'; error: unknown; retryAt: number | null }
  /** The server has a newer version that conflicts with the unsaved changes. `savedBy` is null if unknown. */
  | { kind: 'conflict'; version: number; theirs: EditorDocument; savedBy: string | null };

/** The state of a document in this editor and on the server. Documents are compared by identity. */
export type AutosaveState = {
  /** The version that the next save is based on. */
  version: number;
  /** The content of `version`; null if unknown, as for a draft that was stored without it. */
  saved: EditorDocument | null;
  current: EditorDocument;
  /** The document being saved. */
  sending: EditorDocument | null;
  /** Times of the oldest and newest changes that have not been sent. */
  changedAt: { first: number; last: number } | null;
  /** Whether the next save starts without delay. */
  hurried: boolean;
  trouble: SaveProblem | null;
  /**
   * Set if a version saved in another editor has been merged since the last local change. `savedBy` can be this user,
   * who may have the document open in another window. It is null if unknown.
   */
  joined: { savedBy: string | null } | null;
};

export type AutosaveEvent =
  | { type: 'changed'; document: EditorDocument; at: number }
  | { type: 'hurried' }
  | { type: 'started' }
  /**
   * The server has stored `document`, which an earlier attempt may have sent. `document` defaults to the document being
   * saved.
   */
  | { type: 'saved'; version: number; document?: EditorDocument }
  | { type: 'failed'; error: unknown; at: number }
  | { type: 'conflicted'; version: number; theirs: EditorDocument; savedBy: string | null }
  /** It is now known who saved this version. */
  | { type: 'attributed'; version: number; savedBy: string }
  | { type: 'reconnected' }
  /** `document` is the server's version with the local changes merged in. The next save is based on `version`. */
  | {
      type: 'merged';
      document: EditorDocument;
      version: number;
      saved: EditorDocument;
      savedBy: string | null;
    }
  /** The next save overwrites this version on the server with the current document. */
  | { type: 'kept-mine'; version: number; saved: EditorDocument }
  | { type: 'took-theirs'; document: EditorDocument; version: number }
  /** The unsaved changes no longer need to be saved to this document, so the current content counts as saved. */
  | { type: 'discarded' };

export type SaveStatus = 'saved' | 'unsaved' | 'saving' | 'offline' | 'failed' | 'conflict';

/** Returns the initial state. `current` is the document shown: `saved`, or a document with unsaved changes. */
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

/** Returns whether a status is a problem rather than a step of an ordinary save. */
export function isProblem(status: SaveStatus): boolean {
  return status === 'offline' || status === 'failed' || status === 'conflict';
}

/**
 * The recovery from a problem with saving. After a problem, it is `awaited` until the document is saved, then `done`
 * until the next change. Otherwise, it is `none`.
 */
export type Recovery = 'none' | 'awaited' | 'done';

/** Returns the recovery when the status becomes `status`. */
export function recoveryAt(before: Recovery, status: SaveStatus): Recovery {
  if (isProblem(status)) return 'awaited';
  if (status === 'saved') return before === 'none' ? 'none' : 'done';
  return before === 'done' ? 'none' : before;
}

function saveProblemOf(error: unknown, at: number): SaveProblem {
  if (error instanceof OfflineError) return { kind: 'offline', retryAt: at + RETRY_MS };
  const passes = error instanceof ApiError && (error.status >= 500 || [408, 429].includes(error.status));
  if (!passes) return { kind: 'failed', error, retryAt: null };
  return { kind: 'failed', error, retryAt: at + Math.max(RETRY_MS, (error.retryAfterS ?? 0) * 1000) };
}

/**
 * Returns the time when the next save is due, on the same clock as the events. Returns 0 if it is due immediately, or
 * null if no save is scheduled.
 */
export function dueAt({
  saved,
  current,
  sending,
  changedAt,
  hurried,
  trouble,
}: AutosaveState): number | null {
  if (sending !== null || trouble?.kind === 'conflict') return null;
  // The failed save may have reached the server, so save again even if its changes have since been undone.
  if (trouble) return hurried ? 0 : trouble.retryAt;
  if (current === saved) return null;
  if (hurried || !changedAt) return 0;
  return Math.min(changedAt.last + SETTLE_MS, changedAt.first + MAX_WAIT_MS);
}

/** Returns the next state, or the same object if nothing changes. */
export function autosaveReducer(state: AutosaveState, event: AutosaveEvent): AutosaveState {
  const { trouble } = state;
  switch (event.type) {
    case 'changed': {
      if (event.document === state.current) return state;
      const changedAt = { first: state.changedAt?.first ?? event.at, last: event.at };
      // If the server rejected the document, try again, because this change may fix the cause.
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
      return { ...state, sending: null, hurried: false, trouble: saveProblemOf(event.error, event.at) };
    case 'conflicted': {
      const { type: _, ...conflict } = event;
      return { ...state, sending: null, hurried: false, trouble: { kind: 'conflict', ...conflict } };
    }
    case 'attributed': {
      const { version, savedBy } = event;
      if (trouble?.kind !== 'conflict' || trouble.version !== version || trouble.savedBy === savedBy)
        return state;
      return { ...state, trouble: { ...trouble, savedBy } };
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
    case 'discarded':
      return startAutosave(state.version, state.current, state.current);
  }
}
