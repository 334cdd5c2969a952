import type { Frame } from '@/lib/document/bounds';
import type { PageData, PageElement, PageGuide } from '@/lib/document/page-model';
import type { NamedColor, ParagraphStyle } from '@/lib/document/styles/named-styles';
import type { MeasuredTable } from '@/lib/document/table-flow';
import type { ElementPatch } from './change-elements';
import type { MasterPatch, MasterUser } from './change-masters';
import type { PagePatch } from './change-pages';
import type { NamedColorPatch, StylePatch } from './change-styles';
import type { EditorDocument, OpenSheet, Target } from './editor-change';
import type { Alignment, Axis } from './geometry/align';
import type { LayerMove } from './layers';
import type { TableContent } from './tables/table-of-cells';

/** New values for fields of a document. `pages`, `masters` and `styles` are set only to fit a new paper size. */
export type DocumentPatch = Partial<EditorDocument>;

/** Returns the undo group for the changes that the user makes by cropping an image. */
export const cropGroup = (id: string): string => `crop ${id}`;

/** Consecutive actions with the same `group` are a single undo step. */
export type EditorAction =
  | { type: 'pages-added'; pages: readonly PageData[]; after: string | null }
  | { type: 'page-duplicated'; pageId: string }
  | { type: 'page-moved'; pageId: string; to: number }
  | { type: 'page-removed'; pageId: string }
  | { type: 'page-changed'; pageId: string; patch: PagePatch; group?: string }
  | { type: 'page-opened'; pageId: string; selected?: readonly string[] }
  | { type: 'sheet-opened'; sheet: OpenSheet; selected?: readonly string[] }
  /** Adds a master, opens it, and makes `user` (a page, the cover or the contents) use it. */
  | { type: 'master-added'; master: PageData; user: MasterUser }
  | { type: 'master-changed'; id: string; patch: MasterPatch; group?: string }
  | { type: 'master-removed'; id: string }
  | { type: 'master-applied'; id: string }
  /**
   * Adds elements to the open page or master. If `to` is given, adds them there instead, without opening it. If `edit`
   * is true and the first of `elements` is a text element, opens that element for editing and selects all its text.
   */
  | { type: 'elements-added'; elements: readonly PageElement[]; edit?: boolean; to?: Target }
  /**
   * Changes fields of elements of the open page or master. If `to` is given, changes elements there instead, without
   * opening it.
   */
  | { type: 'elements-changed'; ids: readonly string[]; patch: ElementPatch; group?: string; to?: Target }
  /**
   * Writes `cells` into a table on the open page. The first value goes into the cell at `row` and `column`, the others
   * into the cells to the right and below. `row` is an index into the rows that the page shows; -1 is the row of the
   * column labels.
   */
  | { type: 'cells-filled'; id: string; row: number; column: number; cells: string[][] }
  /** Replaces all cells of a table on the open page, including the cells that other pages show. */
  | { type: 'cells-replaced'; id: string; content: TableContent }
  | { type: 'elements-framed'; frames: Readonly<Record<string, Frame>>; group?: string }
  | { type: 'moved'; dx: number; dy: number }
  | { type: 'aligned'; alignment: Alignment }
  | { type: 'distributed'; axis: Axis }
  /** Makes the selected elements fill the page; see `fillPage`. */
  | { type: 'filled' }
  | { type: 'layered'; move: LayerMove }
  /** Moves an element, or its group, to an index in the layers. Index 0 is the bottom. A group counts as one layer. */
  | { type: 'moved-to-layer'; id: string; to: number }
  | { type: 'grouped' }
  | { type: 'ungrouped' }
  | { type: 'locked'; ids: readonly string[]; locked: boolean }
  | { type: 'removed' }
  | { type: 'duplicated'; inPlace?: boolean; group?: string }
  | { type: 'copied' }
  | { type: 'cut' }
  /** Pastes into the open page or master. If `to` is given, pastes there instead, without opening it. */
  | { type: 'pasted'; elements?: readonly PageElement[]; to?: Target }
  | { type: 'selected'; ids: readonly string[] }
  /** Adds an element, or its group, to the selection. If it is already selected, removes it instead. */
  | { type: 'toggled'; id: string }
  | { type: 'editing-started'; id: string }
  | { type: 'editing-ended' }
  /** Starts cropping an image. The changes in the group `cropGroup(id)` are one undo step. */
  | { type: 'cropping-started'; id: string }
  /** Ends cropping. Without `apply`, the image gets the crop that it had when cropping started. */
  | { type: 'cropping-ended'; apply: boolean }
  | { type: 'all-selected' }
  /** Sets the guides of the open page or master. */
  | { type: 'guides-changed'; guides: readonly PageGuide[]; group?: string }
  | { type: 'guides-shown'; shown: boolean }
  | { type: 'document-changed'; patch: DocumentPatch; group?: string }
  /**
   * Adds a style at the index `at` of the list, by default at its end, and applies it to the elements with the given
   * `ids` on the open page or master.
   */
  | { type: 'style-added'; style: ParagraphStyle; at?: number; ids?: readonly string[] }
  | { type: 'style-changed'; id: string; patch: StylePatch; group?: string }
  /** Sets a style's values to those of an element of the open page or master. */
  | { type: 'style-updated'; id: string; elementId: string }
  | { type: 'style-removed'; id: string }
  | { type: 'color-added'; color: NamedColor; at?: number }
  | { type: 'color-changed'; id: string; patch: NamedColorPatch; group?: string }
  | { type: 'color-removed'; id: string }
  | { type: 'document-replaced'; document: EditorDocument; message: string }
  /**
   * Shows `document`, which includes someone else's changes from `base` to `theirs`. Applies these changes to the undo
   * history too, so that undo and redo keep them. If `base` is null, the history does not change.
   */
  | { type: 'merged'; document: EditorDocument; base: EditorDocument | null; theirs: EditorDocument }
  /**
   * Redistributes the rows of a table that spans several pages. Adds pages for rows that do not fit, and removes pages
   * that are no longer needed. `measured` holds the row heights at each width of the table's frames. The action becomes
   * part of the last undo step.
   */
  | { type: 'table-flowed'; flowId: string; measured: readonly MeasuredTable[] }
  /**
   * Enlarges the unlocked text elements of the open page or master that have `grows` set. `heights` holds the heights
   * in millimeters that their contents need, by element id. The action becomes part of the last undo step.
   */
  | { type: 'texts-grown'; heights: Readonly<Record<string, number>> }
  /**
   * Removes frames that continue a table that no longer exists or no longer spans several pages. Also removes pages
   * that contained only such frames. The action becomes part of the last undo step.
   */
  | { type: 'orphans-removed' }
  | { type: 'undone' }
  | { type: 'redone' }
  /** Ends the current group, so that the next change is a new undo step. */
  | { type: 'settled' }
  /** Reverts the current undo step if it belongs to `group`, for example when a drag is canceled. */
  | { type: 'reverted'; group: string }
  | { type: 'overflows-measured'; heights: Readonly<Record<string, number>> }
  | { type: 'announced'; text: string; refused?: boolean };
