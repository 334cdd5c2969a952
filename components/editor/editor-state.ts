import { countOf } from '@/components/format/count';
import type { Frame } from '@/lib/document/bounds';
import { changeBetween } from '@/lib/document/merge/merge-documents';
import { isSame } from '@/lib/document/merge/same-value';
import {
  imageKey,
  MAX_ELEMENTS,
  type PageData,
  type PageElement,
  type PageGuide,
} from '@/lib/document/page-model';
import { projectDocument } from '@/lib/document/schema';
import { withStyles } from '@/lib/document/styles/apply-styles';
import type { NamedColor, ParagraphStyle } from '@/lib/document/styles/named-styles';
import type { MeasuredTable } from '@/lib/document/table-flow';
import {
  addElements,
  alignSelected,
  changeElements,
  distributeSelected,
  duplicateSelected,
  type ElementPatch,
  fillPage,
  frameElements,
  layerSelected,
  lockElements,
  moveSelected,
  moveToLayer,
  removeSelected,
} from './change-elements';
import { groupSelected, ungroupSelected } from './change-groups';
import { changeGuides } from './change-guides';
import {
  addMaster,
  applyMaster,
  changeMaster,
  type MasterPatch,
  masterLimitMessage,
  removeMaster,
} from './change-masters';
import { addPages, changePage, duplicatePage, movePage, type PagePatch, removePage } from './change-pages';
import {
  addColor,
  addStyle,
  changeColor,
  changeStyle,
  type NamedColorPatch,
  removeColor,
  removeStyle,
  type StylePatch,
  updateStyle,
} from './change-styles';
import {
  type Change,
  copiedElements,
  type EditorDocument,
  type EditorSnapshot,
  hasSheet,
  isOpen,
  type OpenSheet,
  onPage,
  openPage,
  type Target,
} from './editor-change';
import type { Alignment, Axis } from './geometry/align';
import { boundedFrame } from './geometry/frames';
import { toggledIds } from './group-selection';
import type { LayerMove } from './layers';
import { fillCells } from './tables/fill-cells';
import { flowTable, withoutOrphans } from './tables/flow-table';

export type { EditorDocument, EditorSnapshot, OpenSheet } from './editor-change';
export { openPage, selectedElements } from './editor-change';

/** Maximum number of undo steps. */
export const MAX_HISTORY = 200;
/** Offset of a copy from its original, in millimeters. */
const COPY_OFFSET = 5;

export type EditorState = EditorSnapshot & {
  past: readonly EditorSnapshot[];
  future: readonly EditorSnapshot[];
  /** `past` and `future` before the last step, to restore when a drag is canceled. */
  before: { past: readonly EditorSnapshot[]; future: readonly EditorSnapshot[] };
  /**
   * The undo group of the last change. Consecutive changes of one group are a single undo step, for example a drag,
   * typing in one field, or repeated nudges.
   */
  group: string | null;
  /** Increases with each change of the document. */
  revision: number;
  /** Whether the last change of the document was one by somebody else, whose editor has measured its tables. */
  isTheirs: boolean;
  /** The text or table that is being edited in place; `selectAll` selects all of a text when editing starts. */
  editing: { id: string; selectAll: boolean } | null;
  /** The id of the selected image that is being cropped on the canvas. */
  cropping: string | null;
  /** The heights in millimeters that overflowing elements of the open page need for their contents, by element id. */
  overflows: Readonly<Record<string, number>>;
  /** Whether the guides are visible. Elements snap only to visible guides. */
  showsGuides: boolean;
  /** The elements that were last copied. */
  clipboard: readonly PageElement[];
  /** The message about the last action. `serial` increases so that a repeated message is announced again. */
  message: { text: string; refused: boolean; serial: number } | null;
};

/** New values for fields of a document. `pages` and `masters` are set only to fit another paper. */
export type DocumentPatch = Partial<EditorDocument>;

/** Consecutive actions with the same `group` are a single undo step. */
export type EditorAction =
  | { type: 'pages-added'; pages: readonly PageData[]; after: string | null }
  | { type: 'page-duplicated'; pageId: string }
  | { type: 'page-moved'; pageId: string; to: number }
  | { type: 'page-removed'; pageId: string }
  | { type: 'page-changed'; pageId: string; patch: PagePatch; group?: string }
  | { type: 'page-opened'; pageId: string; selected?: readonly string[] }
  | { type: 'sheet-opened'; sheet: OpenSheet; selected?: readonly string[] }
  /** Adds a master and opens it. The page `pageId`, if there is one, then uses it. */
  | { type: 'master-added'; master: PageData; pageId: string | null }
  | { type: 'master-changed'; id: string; patch: MasterPatch; group?: string }
  | { type: 'master-removed'; id: string }
  | { type: 'master-applied'; id: string }
  /**
   * Adds elements to the open page or master, or to `to` without opening it. `edit` starts editing the first element if
   * it is a text, with all its text selected.
   */
  | { type: 'elements-added'; elements: readonly PageElement[]; edit?: boolean; to?: Target }
  | { type: 'elements-changed'; ids: readonly string[]; patch: ElementPatch; group?: string }
  /**
   * Fills cells of a table of the open page, from one cell right and down. `row` is the index among the rows that the
   * page shows; -1 stands for the column labels.
   */
  | { type: 'cells-filled'; id: string; row: number; column: number; cells: string[][] }
  | { type: 'elements-framed'; frames: Readonly<Record<string, Frame>>; group?: string }
  | { type: 'moved'; dx: number; dy: number }
  | { type: 'aligned'; alignment: Alignment }
  | { type: 'distributed'; axis: Axis }
  /** Makes the selected elements as large as the page. */
  | { type: 'filled' }
  | { type: 'layered'; move: LayerMove }
  /** Moves an element, or its group, to an index in the layers, where 0 is the bottom. */
  | { type: 'moved-to-layer'; id: string; to: number }
  | { type: 'grouped' }
  | { type: 'ungrouped' }
  | { type: 'locked'; ids: readonly string[]; locked: boolean }
  | { type: 'removed' }
  | { type: 'duplicated'; inPlace?: boolean; group?: string }
  | { type: 'copied' }
  | { type: 'cut' }
  /** Pastes into the open page or master, or into `to` without opening it. */
  | { type: 'pasted'; elements?: readonly PageElement[]; to?: Target }
  | { type: 'selected'; ids: readonly string[] }
  /** Adds an element, or its group, to the selection, or removes it. */
  | { type: 'toggled'; id: string }
  | { type: 'editing-started'; id: string }
  | { type: 'editing-ended' }
  /** Starts cropping an image. The changes in the group `crop <id>` are one undo step. */
  | { type: 'cropping-started'; id: string }
  | { type: 'cropping-ended' }
  | { type: 'all-selected' }
  /** Sets the guides of the open page or master. */
  | { type: 'guides-changed'; guides: readonly PageGuide[]; group?: string }
  | { type: 'guides-shown'; shown: boolean }
  | { type: 'document-changed'; patch: DocumentPatch; group?: string }
  /** Adds a style, at the place `at` of the list, and gives it to elements of the open page. */
  | { type: 'style-added'; style: ParagraphStyle; at?: number; ids?: readonly string[] }
  | { type: 'style-changed'; id: string; patch: StylePatch; group?: string }
  /** Gives a style the values of an element of the open page. */
  | { type: 'style-updated'; id: string; elementId: string }
  | { type: 'style-removed'; id: string }
  | { type: 'color-added'; color: NamedColor; at?: number }
  | { type: 'color-changed'; id: string; patch: NamedColorPatch; group?: string }
  | { type: 'color-removed'; id: string }
  | { type: 'document-replaced'; document: EditorDocument; message: string }
  /**
   * The document now has the changes of somebody else, from `base` to `theirs`. Undo and redo keep them; without `base`
   * the history stays as it is.
   */
  | { type: 'merged'; document: EditorDocument; base: EditorDocument | null; theirs: EditorDocument }
  /** Distributes the rows of a table that runs over pages, with their heights in its frames. Part of the last change. */
  | { type: 'table-flowed'; flowId: string; measured: readonly MeasuredTable[] }
  /** Removes the frames of tables that no longer run over pages. Part of the last change. */
  | { type: 'orphans-removed' }
  | { type: 'undone' }
  | { type: 'redone' }
  /** Ends the current group: the next change is a new undo step. */
  | { type: 'settled' }
  /** Reverts the current step of this group, for example a canceled drag. */
  | { type: 'reverted'; group: string }
  | { type: 'overflows-measured'; heights: Readonly<Record<string, number>> }
  | { type: 'announced'; text: string; refused?: boolean };

/** Returns the initial state for a document. Opens the page `pageId` or, if there is no such page, the first one. */
export function openEditor(document: EditorDocument, pageId: string | null = null): EditorState {
  const opened = document.pages.find(({ id }) => id === pageId) ?? document.pages[0];
  return {
    document,
    pageId: opened?.id ?? null,
    sheet: onPage,
    selected: [],
    past: [],
    future: [],
    before: { past: [], future: [] },
    group: null,
    revision: 0,
    isTheirs: false,
    editing: null,
    cropping: null,
    overflows: {},
    showsGuides: true,
    clipboard: [],
    message: null,
  };
}

const snapshotOf = ({ document, pageId, sheet, selected }: EditorSnapshot): EditorSnapshot => ({
  document,
  pageId,
  sheet,
  selected,
});

function withMessage(state: EditorState, text: string, refused = false): EditorState {
  return { ...state, message: { text, refused, serial: (state.message?.serial ?? 0) + 1 } };
}

/** Applies a change to the state, as a new undo step or as part of the current one. */
function apply(state: EditorState, change: Change, group: string | null = null): EditorState {
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

/** Returns the state at `snapshot`, with the selection limited to elements that exist there. */
function goTo(state: EditorState, snapshot: EditorSnapshot): EditorState {
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

type MergedAction = Extract<EditorAction, { type: 'merged' }>;

function applyMerged(state: EditorState, { document, base, theirs }: MergedAction): EditorState {
  // What is being dragged or typed stays one undo step.
  const isTheirs = isSame(document, theirs);
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

/** Applies a change that follows from the last one, as part of the same undo step. */
function follow(state: EditorState, document: EditorDocument): EditorState {
  // Two browsers can measure a table differently, and would otherwise change it in turns.
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

function undo(state: EditorState): EditorState {
  const step = state.past.at(-1);
  if (!step) return withMessage(state, 'There is nothing to undo.');
  const next = { ...state, past: state.past.slice(0, -1), future: [...state.future, snapshotOf(state)] };
  return withMessage(goTo(next, step), 'Undone.');
}

function redo(state: EditorState): EditorState {
  const step = state.future.at(-1);
  if (!step) return withMessage(state, 'There is nothing to redo.');
  const next = { ...state, future: state.future.slice(0, -1), past: [...state.past, snapshotOf(state)] };
  return withMessage(goTo(next, step), 'Redone.');
}

function select(state: EditorState, ids: readonly string[]): EditorState {
  const known = openPage(state)?.elements.filter(({ id }) => ids.includes(id)) ?? [];
  const selected = known.map(({ id }) => id);
  const same =
    selected.length === state.selected.length && selected.every((id) => state.selected.includes(id));
  return same && state.group === null
    ? state
    : { ...state, selected: same ? state.selected : selected, group: null };
}

/** Returns whether the open page has an unlocked text or table with this id. */
function isEditable(state: EditorState, id: string): boolean {
  const element = openPage(state)?.elements.find((other) => other.id === id);
  return (element?.type === 'text' || element?.type === 'table') && !element.locked;
}

/** Returns whether the only selected element is an unlocked image with this id. */
function isCroppable(state: EditorState, id: string): boolean {
  const element = openPage(state)?.elements.find((other) => other.id === id);
  const isOnly = state.selected.length === 1 && state.selected[0] === id;
  return isOnly && element?.type === 'image' && !element.locked && imageKey(element) !== null;
}

function startEditing(state: EditorState, id: string, selectAll = false): EditorState {
  if (!isEditable(state, id) || state.editing?.id === id) return state;
  return { ...state, editing: { id, selectAll }, selected: [id] };
}

function copy(state: EditorState): EditorState {
  const elements = copiedElements(state);
  if (elements.length === 0) return state;
  return withMessage({ ...state, clipboard: elements }, `${countOf(elements.length, 'element')} copied.`);
}

/** Adds elements to a page or master, by default to the open one. The selection stays as it is if `to` is not open. */
function addTo(
  state: EditorState,
  elements: readonly PageElement[],
  { pageId, sheet }: Target = state,
  verb?: string,
): EditorState {
  const change = addElements({ ...state, pageId, sheet }, elements, verb);
  const isElsewhere = change !== null && 'document' in change && !isOpen({ pageId, sheet }, state);
  return apply(state, isElsewhere ? { ...change, selected: state.selected } : change);
}

function paste(
  state: EditorState,
  elements: readonly PageElement[],
  { pageId, sheet }: Target = state,
): EditorState {
  const here = new Set(
    openPage({ ...state, pageId, sheet })?.elements.map(({ x, y, w, h, type }) => [type, x, y, w, h].join()),
  );
  const movedBy = (offset: number) =>
    elements.map((element) => ({
      ...element,
      ...(offset > 0 && boundedFrame({ ...element, x: element.x + offset, y: element.y + offset })),
      locked: false,
    }));
  // Offset the pasted elements until none exactly covers an existing one, such as its original or an earlier copy.
  let moved = movedBy(0);
  const hides = () => moved.some(({ x, y, w, h, type }) => here.has([type, x, y, w, h].join()));
  for (let copies = 1; hides() && copies <= MAX_ELEMENTS; copies += 1) moved = movedBy(copies * COPY_OFFSET);
  return addTo({ ...state, clipboard: moved }, moved, { pageId, sheet }, 'pasted');
}

const settings = projectDocument.pick({ cover: true, customSize: true, margin: true });

function changeDocument({ document }: EditorState, patch: DocumentPatch): Change {
  const issue = settings.safeParse({ ...document, ...patch }).error?.issues[0];
  if (issue) {
    const [field, ...rest] = issue.path;
    const what = field === 'cover' ? `cover's ${rest.join('.')}` : [...rest, field].join(' of ');
    return { refused: `The ${what} ${issue.message}.` };
  }
  const same = Object.entries(patch).every(([key, value]) => document[key as keyof DocumentPatch] === value);
  return same ? null : { document: { ...document, ...patch } };
}

function reduce(state: EditorState, action: EditorAction): EditorState {
  switch (action.type) {
    case 'pages-added':
      return apply(state, addPages(state, action.pages, action.after));
    case 'page-duplicated':
      return apply(state, duplicatePage(state, action.pageId));
    case 'page-moved':
      return apply(state, movePage(state, action.pageId, action.to));
    case 'page-removed':
      return apply(state, removePage(state, action.pageId));
    case 'page-changed':
      return apply(state, changePage(state, action.pageId, action.patch), action.group);
    case 'page-opened': {
      if (!state.document.pages.some(({ id }) => id === action.pageId)) return state;
      const opened =
        state.pageId === action.pageId && state.sheet.kind === 'page'
          ? state
          : { ...state, pageId: action.pageId, sheet: onPage, selected: [], group: null };
      return action.selected ? select(opened, action.selected) : opened;
    }
    case 'sheet-opened': {
      if (!hasSheet(state.document, action.sheet)) return state;
      const opened = { ...state, sheet: action.sheet, selected: [], group: null };
      return action.selected ? select(opened, action.selected) : opened;
    }
    case 'master-added':
      return apply(state, addMaster(state, action.master, action.pageId));
    case 'master-changed':
      return apply(state, changeMaster(state, action.id, action.patch), action.group);
    case 'master-removed':
      return apply(state, removeMaster(state, action.id));
    case 'master-applied':
      return apply(state, applyMaster(state, action.id));
    case 'elements-added': {
      const added = addTo(state, action.elements, action.to);
      const [first] = added.selected;
      const isAdded = added.document !== state.document && first !== undefined;
      const isText = action.elements[0]?.type === 'text';
      return isAdded && action.edit && isText ? startEditing(added, first, true) : added;
    }
    case 'editing-started':
      return startEditing(state, action.id);
    case 'editing-ended':
      return state.editing === null && state.group === null
        ? state
        : { ...state, editing: null, group: null };
    case 'cropping-started':
      return { ...state, cropping: action.id, selected: [action.id], group: null };
    case 'cropping-ended':
      return state.cropping === null ? state : { ...state, cropping: null, group: null };
    case 'elements-changed':
      return apply(state, changeElements(state, action.ids, action.patch), action.group);
    case 'cells-filled':
      return apply(state, fillCells(state, action));
    case 'elements-framed':
      return apply(state, frameElements(state, action.frames), action.group);
    case 'moved':
      return apply(state, moveSelected(state, action.dx, action.dy), `nudge ${state.selected.join()}`);
    case 'aligned':
      return apply(state, alignSelected(state, action.alignment));
    case 'distributed':
      return apply(state, distributeSelected(state, action.axis));
    case 'filled':
      return apply(state, fillPage(state));
    case 'layered':
      return apply(state, layerSelected(state, action.move));
    case 'moved-to-layer':
      return apply(state, moveToLayer(state, action.id, action.to));
    case 'grouped':
      return apply(state, groupSelected(state));
    case 'ungrouped':
      return apply(state, ungroupSelected(state));
    case 'locked':
      return apply(state, lockElements(state, action.ids, action.locked));
    case 'removed':
      return apply(state, removeSelected(state));
    case 'duplicated':
      return apply(state, duplicateSelected(state, action.inPlace ? 0 : COPY_OFFSET), action.group);
    case 'copied':
      return copy(state);
    case 'cut':
      return apply(copy(state), removeSelected(state, 'cut'));
    case 'pasted':
      return paste(state, action.elements ?? state.clipboard, action.to);
    case 'selected':
      return select(state, action.ids);
    case 'toggled':
      return select(state, toggledIds(openPage(state)?.elements ?? [], state.selected, action.id));
    case 'all-selected': {
      const free = openPage(state)?.elements.filter(({ locked }) => !locked) ?? [];
      const ids = free.map(({ id }) => id);
      return withMessage(select(state, ids), `${countOf(ids.length, 'element')} selected.`);
    }
    case 'guides-changed':
      return apply(state, changeGuides(state, action.guides), action.group);
    case 'guides-shown':
      return { ...state, showsGuides: action.shown };
    case 'document-changed':
      return apply(state, changeDocument(state, action.patch), action.group);
    case 'style-added':
      return apply(state, addStyle(state, action.style, action.at, action.ids));
    case 'style-changed':
      return apply(state, changeStyle(state, action.id, action.patch), action.group);
    case 'style-updated':
      return apply(state, updateStyle(state, action.id, action.elementId));
    case 'style-removed':
      return apply(state, removeStyle(state, action.id));
    case 'color-added':
      return apply(state, addColor(state, action.color, action.at));
    case 'color-changed':
      return apply(state, changeColor(state, action.id, action.patch), action.group);
    case 'color-removed':
      return apply(state, removeColor(state, action.id));
    case 'document-replaced': {
      const replaced = apply(state, { document: action.document, message: action.message });
      return goTo(replaced, { ...snapshotOf(state), document: action.document });
    }
    case 'merged':
      return applyMerged(state, action);
    case 'table-flowed':
      return follow(state, flowTable(state.document, action.flowId, action.measured));
    case 'orphans-removed':
      return follow(state, withoutOrphans(state.document));
    case 'undone':
      return undo(state);
    case 'redone':
      return redo(state);
    case 'settled':
      return state.group === null ? state : { ...state, group: null };
    case 'reverted': {
      const snapshot = state.past.at(-1);
      if (state.group !== action.group || !snapshot) return state;
      return goTo({ ...state, ...state.before }, snapshot);
    }
    case 'overflows-measured': {
      const { heights } = action;
      const known = Object.entries(state.overflows);
      const same =
        known.length === Object.keys(heights).length && known.every(([id, mm]) => heights[id] === mm);
      return same ? state : { ...state, overflows: heights };
    }
    case 'announced':
      return withMessage(state, action.text, action.refused);
  }
}

/** Returns the next state of the editor, or the same object if nothing changes. */
export function editorReducer(state: EditorState, action: EditorAction): EditorState {
  const changed = reduce(state, action);
  const document =
    changed.document === state.document ? state.document : withStyles(changed.document, state.document);
  const reduced = document === changed.document ? changed : { ...changed, document };
  // The sheet may no longer exist, for example because the cover was turned off.
  const isUnchanged = reduced.sheet === state.sheet && reduced.document === state.document;
  const next =
    isUnchanged || hasSheet(reduced.document, reduced.sheet)
      ? reduced
      : { ...reduced, sheet: onPage, selected: [] };
  const { editing, cropping } = next;
  const endsEditing = editing !== null && !isEditable(next, editing.id);
  const endsCropping = cropping !== null && !isCroppable(next, cropping);
  return endsEditing || endsCropping
    ? { ...next, ...(endsEditing && { editing: null }), ...(endsCropping && { cropping: null }) }
    : next;
}
