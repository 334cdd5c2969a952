import { withoutLoneGroups } from '@/lib/document/groups';
import {
  imagesOf,
  MAX_DOCUMENT_PAGES,
  MAX_ELEMENTS,
  MAX_IMAGES,
  type PageData,
  type PageElement,
} from '@/lib/document/page-model';
import { type DocumentContent, sheetOptionsOf } from '@/lib/document/schema';
import { frontSheetCount, pageNumber } from '@/lib/document/sheets';
import { standalonePage } from '@/lib/document/table-flow';

export type EditorDocument = DocumentContent;

/** Returns the content of a document without its version. */
export function contentOf(document: EditorDocument): EditorDocument {
  const { format, orientation, customSize, margin, language } = document;
  const { includecover, includeToc, styles, colors, cover, contents, masters, pages } = document;
  return {
    format,
    orientation,
    customSize,
    margin,
    language,
    includecover,
    includeToc,
    styles,
    colors,
    cover,
    contents,
    masters,
    pages,
  };
}

/** The sheet that the canvas shows. The kind `page` stands for the page with the snapshot's `pageId`. */
export type OpenSheet =
  | { kind: 'page' }
  | { kind: 'cover' }
  /** `index` counts the contents sheets from 0. */
  | { kind: 'contents'; index: number }
  | { kind: 'master'; id: string };

export const onPage: OpenSheet = { kind: 'page' };

/** A document with its open page and selection. */
export type EditorSnapshot = {
  document: EditorDocument;
  /**
   * The id of the open page or, while another sheet is open, of the page that was open before it. Null if the document
   * has no pages.
   */
  pageId: string | null;
  sheet: OpenSheet;
  /** Ids of elements of the open page or master. */
  selected: readonly string[];
};

/**
 * The result of an action. It holds the changed parts of the snapshot and an optional message to announce. If the
 * action is refused, it holds only the reason. If nothing changes, it is null.
 */
export type Change = (Partial<EditorSnapshot> & { message?: string }) | { refused: string } | null;

/** Returns the open page or master, whose elements can be edited; null if neither is open. */
export function openPage({ document, pageId, sheet }: EditorSnapshot): PageData | null {
  if (sheet.kind === 'master') return document.masters.find(({ id }) => id === sheet.id) ?? null;
  return (sheet.kind === 'page' && document.pages.find(({ id }) => id === pageId)) || null;
}

/** A sheet that the editor can show: the page `pageId` if `sheet` is a page, otherwise `sheet` itself. */
export type Target = Pick<EditorSnapshot, 'pageId' | 'sheet'>;

/** Returns whether the target is the page or master that is open. */
export function isOpen({ pageId, sheet }: Target, snapshot: EditorSnapshot): boolean {
  const page = openPage({ ...snapshot, pageId, sheet });
  return page !== null && page === openPage(snapshot);
}

/** Returns whether `sheet` exists in the document. Always true for a page. */
export function hasSheet(document: EditorDocument, sheet: OpenSheet): boolean {
  if (sheet.kind === 'page') return true;
  if (sheet.kind === 'master') return document.masters.some(({ id }) => id === sheet.id);
  const { cover, contents } = frontSheetCount(document, sheetOptionsOf(document));
  return sheet.kind === 'cover' ? cover > 0 : sheet.index < contents;
}

/**
 * Returns the sheet after (1) or before (-1) the open one in the order of the PDF: cover, contents, pages. Returns null
 * if there is none. A master counts as the page that was open before it.
 */
export function sheetNextTo({ document, pageId, sheet }: EditorSnapshot, direction: 1 | -1): Target | null {
  const { cover, contents } = frontSheetCount(document, sheetOptionsOf(document));
  // The empty canvas of a document without pages counts as its first page.
  const pageAt = Math.max(
    document.pages.findIndex(({ id }) => id === pageId),
    0,
  );
  const at =
    sheet.kind === 'cover' ? 0 : sheet.kind === 'contents' ? cover + sheet.index : cover + contents + pageAt;
  const next = at + direction;
  if (next < 0) return null;
  if (next < cover) return { pageId, sheet: { kind: 'cover' } };
  if (next < cover + contents) return { pageId, sheet: { kind: 'contents', index: next - cover } };
  const page = document.pages[next - cover - contents];
  return page ? { pageId: page.id, sheet: onPage } : null;
}

/** Returns the printed number of the page at `index`; see `pageNumber`. */
export function numberAt(document: EditorDocument, index: number): number {
  return pageNumber(document, sheetOptionsOf(document), index);
}

/** Returns the selected elements of the open page or master, in the order of its `elements`. */
export function selectedElements(snapshot: EditorSnapshot): PageElement[] {
  const ids = new Set(snapshot.selected);
  return openPage(snapshot)?.elements.filter(({ id }) => ids.has(id)) ?? [];
}

/**
 * Returns the selected elements to copy. A frame that continues a table from an earlier page becomes a table of its
 * own, with the rows that it shows.
 */
export function copiedElements(snapshot: EditorSnapshot): PageElement[] {
  const page = openPage(snapshot);
  if (!page) return [];
  const alone = new Map(
    standalonePage(page, snapshot.document.pages).elements.map((element) => [element.id, element]),
  );
  return selectedElements(snapshot).map((element) =>
    element.type === 'table' && element.continues !== undefined
      ? (alone.get(element.id) ?? element)
      : element,
  );
}

/** Returns the document with `page` in place of the page with the same id. */
export function withPage(document: EditorDocument, page: PageData): EditorDocument {
  return { ...document, pages: document.pages.map((other) => (other.id === page.id ? page : other)) };
}

/** Returns the document with `master` in place of the master with the same id. */
export function withMaster(document: EditorDocument, master: PageData): EditorDocument {
  return { ...document, masters: document.masters.map((other) => (other.id === master.id ? master : other)) };
}

/** Returns the document with `elements` as the elements of the open page or master. */
export function withElements(snapshot: EditorSnapshot, elements: readonly PageElement[]): EditorDocument {
  const page = openPage(snapshot);
  if (!page) return snapshot.document;
  const next = { ...page, elements: [...withoutLoneGroups(elements)] };
  return snapshot.sheet.kind === 'master'
    ? withMaster(snapshot.document, next)
    : withPage(snapshot.document, next);
}

/** Returns a message when the pages exceed the limits of the page model, otherwise null. */
export function limitMessage(pages: readonly PageData[]): string | null {
  if (pages.length > MAX_DOCUMENT_PAGES) return `A document has at most ${MAX_DOCUMENT_PAGES} pages.`;
  if (pages.some(({ elements }) => elements.length > MAX_ELEMENTS)) {
    return `A page has at most ${MAX_ELEMENTS} elements.`;
  }
  if (imagesOf([...pages]).length >= MAX_IMAGES) {
    return `A document must have fewer than ${MAX_IMAGES.toLocaleString('en')} images.`;
  }
  return null;
}
