import { countOf } from '@/components/format/count';
import { changeBetween } from '@/lib/document/merge/merge-documents';
import { isSame } from '@/lib/document/merge/same-value';
import { masterLimitMessage } from './change-masters';
import type { EditorAction } from './editor-action';
import {
  type Change,
  type EditorDocument,
  type EditorSnapshot,
  hasSheet,
  onPage,
  openPage,
} from './editor-change';
import { type EditorState, snapshotOf, withMessage } from './editor-state';

/** Maximum number of undo steps. */
export const MAX_HISTORY = 200;

/**
 * Applies a change to the state. If the change modifies the document and `group` is the group of the current undo step,
 * the change becomes part of that step. Otherwise, or if `group` is null, a change of the document is a new step.
 */
export function apply(state: EditorState, change: Change, group: string | null = null): EditorState {
  if (change === null) return state;
  if ('refused' in change) return withMessage({ ...state, group: null }, change.refused, true);
  const { message, ...next } = change;
  const isNew = next.document !== undefined && next.document !== state.document;
  const refused =
    isNew && next.document?.masters !== state.document.masters
      ? masterLimitMessage({ ...state.document, ...next.document })
      : null;
  if (refused) return withMessage({ ...state, group: null }, refused, true);
  const goesOn = group !== null && state.group === group;
  const result: EditorState = {
    ...state,
    ...next,
    group: isNew ? group : null,
    ...(isNew && {
      ...(!goesOn && {
        before: { past: state.past, future: state.future },
        past: [...state.past, snapshotOf(state)].slice(-MAX_HISTORY),
      }),
      future: [],
      revision: state.revision + 1,
      isTheirs: false,
    }),
  };
  return message === undefined ? result : withMessage(result, message);
}

/**
 * Returns the state with the document, open page, sheet and selection of `snapshot`. If the document does not contain
 * the open page, opens the first page instead. If the document does not contain the sheet, shows the open page instead.
 * Drops missing elements from the selection.
 */
export function goTo(state: EditorState, snapshot: EditorSnapshot): EditorState {
  const pageId = snapshot.document.pages.some(({ id }) => id === snapshot.pageId)
    ? snapshot.pageId
    : (snapshot.document.pages[0]?.id ?? null);
  const sheet = hasSheet(snapshot.document, snapshot.sheet) ? snapshot.sheet : onPage;
  const ids = new Set(openPage({ ...snapshot, pageId, sheet })?.elements.map(({ id }) => id));
  return {
    ...state,
    document: snapshot.document,
    pageId,
    sheet,
    selected: snapshot.selected.filter((id) => ids.has(id)),
    group: null,
    revision: state.revision + 1,
    isTheirs: false,
  };
}

export type MergedAction = Extract<EditorAction, { type: 'merged' }>;

/**
 * Replaces the document with `document`, which includes the changes of another user. If the action has a `base`, undo
 * and redo keep those changes.
 */
export function applyMerged(state: EditorState, { document, base, theirs }: MergedAction): EditorState {
  const isTheirs = isSame(document, theirs);
  // Keep the group, so that a drag or typing in progress remains one undo step.
  const next = { ...goTo(state, { ...snapshotOf(state), document }), group: state.group, isTheirs };
  if (!base) return next;
  const change = changeBetween(base, theirs);
  const known = new Map<EditorSnapshot, EditorSnapshot>();
  const carried = (snapshot: EditorSnapshot) => {
    const result = known.get(snapshot) ?? { ...snapshot, document: change(snapshot.document) };
    known.set(snapshot, result);
    return result;
  };
  const { past, future, before } = state;
  return {
    ...next,
    past: past.map(carried),
    future: future.map(carried),
    before: { past: before.past.map(carried), future: before.future.map(carried) },
  };
}

/**
 * Applies an automatic change that follows from the last change, such as growing a text element. The automatic change
 * becomes part of the last undo step.
 */
export function follow(state: EditorState, document: EditorDocument): EditorState {
  // Do nothing after someone else's change. Two browsers can measure a table differently, and would otherwise keep
  // overwriting each other's changes.
  if (document === state.document || state.isTheirs) return state;
  const { pages } = state.document;
  const kept = new Set(document.pages.map(({ id }) => id));
  const before = pages.slice(0, pages.findIndex(({ id }) => id === state.pageId) + 1);
  const pageId = before.findLast(({ id }) => kept.has(id))?.id ?? null;
  const next = { ...goTo(state, { ...snapshotOf(state), document, pageId }), group: state.group };
  const more = document.pages.length - pages.length;
  if (more === 0) return next;
  return withMessage(
    next,
    `${countOf(Math.abs(more), 'page')} of the table ${more > 0 ? 'added' : 'removed'}.`,
  );
}

/**
 * Returns the state before the current undo step, and removes the step from the history. Returns `state` itself if the
 * step does not belong to `group`.
 */
export function revert(state: EditorState, group: string): EditorState {
  const snapshot = state.past.at(-1);
  if (state.group !== group || !snapshot) return state;
  return goTo({ ...state, ...state.before }, snapshot);
}

/** Returns the state with the last step undone. */
export function undo(state: EditorState): EditorState {
  const step = state.past.at(-1);
  if (!step) return withMessage(state, 'There is nothing to undo.');
  const next = { ...state, past: state.past.slice(0, -1), future: [...state.future, snapshotOf(state)] };
  return withMessage(goTo(next, step), 'Undone.');
}

/** Returns the state with the most recently undone step redone. */
export function redo(state: EditorState): EditorState {
  const step = state.future.at(-1);
  if (!step) return withMessage(state, 'There is nothing to redo.');
  const next = { ...state, future: state.future.slice(0, -1), past: [...state.past, snapshotOf(state)] };
  return withMessage(goTo(next, step), 'Redone.');
}
