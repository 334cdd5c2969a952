import { countOf } from '@/components/format/count';
import { isSame } from '@/lib/document/merge/same-value';
import { type ImageElement, imageKey } from '@/lib/document/page-model';
import { projectDocument } from '@/lib/document/schema';
import { withStyles } from '@/lib/document/styles/apply-styles';
import {
  alignSelected,
  changeElements,
  distributeSelected,
  duplicateSelected,
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
import { addMaster, applyMaster, changeMaster, removeMaster } from './change-masters';
import { addPages, changePage, duplicatePage, movePage, removePage } from './change-pages';
import {
  addColor,
  addStyle,
  changeColor,
  changeStyle,
  removeColor,
  removeStyle,
  updateStyle,
} from './change-styles';
import { cropGroup, type DocumentPatch, type EditorAction } from './editor-action';
import { type Change, type EditorSnapshot, hasSheet, onPage, openPage } from './editor-change';
import { addTo, besideOthers, COPY_OFFSET, copy, paste } from './editor-clipboard';
import { apply, applyMerged, follow, goTo, type MergedAction, redo, revert, undo } from './editor-history';
import { type EditorState, snapshotOf, withMessage } from './editor-state';
import { toggledIds } from './group-selection';
import { growTexts } from './grow-texts';
import { fillCells, replaceCells } from './tables/fill-cells';
import { flowTable, withoutOrphans } from './tables/flow-table';

function select(state: EditorState, ids: readonly string[]): EditorState {
  const known = openPage(state)?.elements.filter(({ id }) => ids.includes(id)) ?? [];
  const selected = known.map(({ id }) => id);
  const same =
    selected.length === state.selected.length && selected.every((id) => state.selected.includes(id));
  return same && state.group === null
    ? state
    : { ...state, selected: same ? state.selected : selected, group: null };
}

/** Returns whether the open page or master has an unlocked text element or table with this id. */
function isEditable(state: EditorState, id: string): boolean {
  const element = openPage(state)?.elements.find((other) => other.id === id);
  return (element?.type === 'text' || element?.type === 'table') && !element.locked;
}

/** Returns whether an image element is still selected alone, is unlocked, and shows the same image as `before`. */
function isCroppable(state: EditorState, { id, ...before }: ImageElement): boolean {
  const element = openPage(state)?.elements.find((other) => other.id === id);
  const isOnly = state.selected.length === 1 && state.selected[0] === id;
  if (!isOnly || element?.type !== 'image' || element.locked) return false;
  const image = imageKey(element);
  return image !== null && image === imageKey(before);
}

function startCropping(state: EditorState, id: string): EditorState {
  const element = openPage(state)?.elements.find((other) => other.id === id);
  if (element?.type !== 'image') return state;
  return { ...state, cropping: element, selected: [id], group: null };
}

function endCropping(state: EditorState, keeps: boolean): EditorState {
  const { cropping } = state;
  if (cropping === null) return state;
  if (keeps) return { ...state, cropping: null, group: null };
  const { id, crop, fit } = cropping;
  const reverted = revert(state, cropGroup(id));
  // `revert` returns `state` itself if the crop is not the current undo step, for example after undo and redo.
  const isRestored = isSame(cropAndFitOf(reverted, id), { crop, fit });
  const restored = isRestored ? reverted : apply(reverted, changeElements(reverted, [id], { crop, fit }));
  return { ...restored, cropping: null, group: null };
}

/** Returns the crop and the fit of an image on the open page, or null if there is no such image. */
function cropAndFitOf(snapshot: EditorSnapshot, id: string): Pick<ImageElement, 'crop' | 'fit'> | null {
  const element = openPage(snapshot)?.elements.find((other) => other.id === id);
  return element?.type === 'image' ? { crop: element.crop, fit: element.fit } : null;
}

/**
 * Applies a merge. If another user has cropped the image that this user is cropping, and this user then cancels the
 * crop, the image gets the other user's crop.
 */
function merge(state: EditorState, action: MergedAction): EditorState {
  const merged = applyMerged(state, action);
  const { cropping } = state;
  if (!cropping || !action.base) return merged;
  const theirs = cropAndFitOf({ ...state, document: action.theirs }, cropping.id);
  if (!theirs || isSame(cropAndFitOf({ ...state, document: action.base }, cropping.id), theirs))
    return merged;
  return { ...merged, cropping: { ...cropping, ...theirs } };
}

function startEditing(state: EditorState, id: string, selectAll = false): EditorState {
  if (!isEditable(state, id) || state.editing?.id === id) return state;
  return { ...state, editing: { id, selectAll }, selected: [id] };
}

const settings = projectDocument.pick({ cover: true, contents: true, customSize: true, margin: true });

function changeDocument({ document }: EditorState, patch: DocumentPatch): Change {
  const issue = settings.safeParse({ ...document, ...patch }).error?.issues[0];
  if (issue) {
    const [field, ...rest] = issue.path;
    const what =
      field === 'cover' || field === 'contents'
        ? `${field}'s ${rest.join('.')}`
        : [...rest, field].join(' of ');
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
      return apply(state, addMaster(state, action.master, action.user));
    case 'master-changed':
      return apply(state, changeMaster(state, action.id, action.patch), action.group);
    case 'master-removed':
      return apply(state, removeMaster(state, action.id));
    case 'master-applied':
      return apply(state, applyMaster(state, action.id));
    case 'elements-added': {
      const added = addTo(state, besideOthers(state, action.elements, action.to), action.to);
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
      return startCropping(state, action.id);
    case 'cropping-ended':
      return endCropping(state, action.apply);
    case 'elements-changed':
      return apply(state, changeElements({ ...state, ...action.to }, action.ids, action.patch), action.group);
    case 'cells-filled':
      return apply(state, fillCells(state, action));
    case 'cells-replaced':
      return apply(state, replaceCells(state, action.id, action.content));
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
      return merge(state, action);
    case 'table-flowed':
      return follow(state, flowTable(state.document, action.flowId, action.measured));
    case 'texts-grown':
      return follow(state, growTexts(state, action.heights));
    case 'orphans-removed':
      return follow(state, withoutOrphans(state.document));
    case 'undone':
      return undo(state);
    case 'redone':
      return redo(state);
    case 'settled':
      return state.group === null ? state : { ...state, group: null };
    case 'reverted':
      return revert(state, action.group);
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

/** Returns the next state of the editor. Most actions that change nothing return `state` itself. */
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
