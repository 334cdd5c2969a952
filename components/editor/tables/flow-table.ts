import { newKey } from '@/hooks/new-key';
import { freshId } from '@/lib/document/fresh-ids';
import {
  MAX_DOCUMENT_PAGES,
  type PageData,
  type TableElement,
  tableElement,
} from '@/lib/document/page-model';
import { sheetSize } from '@/lib/document/sheets';
import { type MeasuredTable, rowStarts, type TableFlow, tableFlows } from '@/lib/document/table-flow';
import { contentArea } from '@/lib/document/templates/areas';
import type { EditorDocument } from '../editor-change';

/** Returns the fields that let a table continue on the next pages. */
export function newFlow(): Pick<TableElement, 'flowId' | 'breaks'> {
  return { flowId: newKey(), breaks: [] };
}

/** The fields that make a table stay on one page. They undo `newFlow`. */
export const noFlow = { flowId: undefined, breaks: undefined };

/**
 * Creates the table that continues `head` on the next page. It is as wide as `head`. It is as high as the content area
 * of the page or, if `head` is rotated, as high as `head`.
 */
function frameAfter(document: EditorDocument, head: TableElement, flowId: string): TableElement {
  const { y, h } = contentArea(sheetSize(document), document.margin);
  const { id, x, w, rotation } = head;
  // The height of the content area does not apply to a rotated table, so its continuation has the frame of `head`.
  const frame = rotation === 0 ? { x, y, w, h: Math.max(h, 1) } : { x, y: head.y, w, h: head.h };
  return tableElement.parse({
    ...frame,
    id,
    rotation,
    type: 'table',
    columns: [{ label: '' }],
    rows: [],
    continues: flowId,
  });
}

/** Removes the tables in `dropped` from the pages. Leaves out pages that contained only these tables. */
function withoutTables(pages: readonly PageData[], dropped: ReadonlySet<TableElement>): PageData[] {
  return pages.flatMap((page) => {
    const elements = page.elements.filter((element) => element.type !== 'table' || !dropped.has(element));
    if (elements.length === page.elements.length) return [page];
    return elements.length > 0 ? [{ ...page, elements }] : [];
  });
}

/**
 * Creates `count` pages that continue a flow. Each is based on the last page of the flow, but its only element is a
 * table that continues the flow.
 */
function pagesAfter(document: EditorDocument, { id, head, continued }: TableFlow, count: number): PageData[] {
  const from = document.pages.find((page) => page.id === (continued.at(-1) ?? head).pageId);
  if (!from) return [];
  const taken = new Set(document.pages.map((page) => page.id));
  return Array.from({ length: count }, () => {
    const pageId = freshId(from.id, taken);
    taken.add(pageId);
    return { ...from, id: pageId, inToc: false, elements: [frameAfter(document, head.element, id)] };
  });
}

function withBreaks(pages: readonly PageData[], { head }: TableFlow, breaks: number[]): PageData[] {
  const known = head.element.breaks ?? [];
  const isSame = known.length === breaks.length && known.every((start, index) => start === breaks[index]);
  if (isSame) return [...pages];
  return pages.map((page) =>
    page.id === head.pageId
      ? {
          ...page,
          elements: page.elements.map((element) =>
            element === head.element ? { ...head.element, breaks } : element,
          ),
        }
      : page,
  );
}

/** Returns the widths in millimeters at which the rows of a flow must be measured. */
export function widthsOf({ head, continued }: TableFlow): number[] {
  return [...new Set([head, ...continued].map(({ element }) => element.w))];
}

/**
 * Redistributes the rows of a table that spans pages. Adds pages for rows that do not fit. Removes frames without rows,
 * and pages that contained only such a frame. Returns the same document if nothing changes.
 */
export function flowTable(
  document: EditorDocument,
  flowId: string,
  measured: readonly MeasuredTable[],
): EditorDocument {
  const flow = tableFlows(document.pages).flows.find(({ id }) => id === flowId);
  if (!flow) return document;
  const frames = [flow.head, ...flow.continued].map(({ element }) => element);
  const next = frameAfter(document, flow.head.element, flowId);
  const free = MAX_DOCUMENT_PAGES - document.pages.length;
  const starts = rowStarts(flow.head.element.rows.length, frames, next, measured, frames.length + free);
  if (!starts) return document;
  const { rows } = flow.head.element;
  const used = starts.filter((start, index) => index === 0 || start < rows.length);
  const dropped = new Set(frames.slice(used.length));
  const added = pagesAfter(document, flow, used.length - frames.length);
  const last = (flow.continued.at(-1) ?? flow.head).pageId;
  const at = document.pages.findIndex(({ id }) => id === last) + 1;
  const placed = added.length > 0 ? document.pages.toSpliced(at, 0, ...added) : document.pages;
  const kept = dropped.size > 0 ? withoutTables(placed, dropped) : placed;
  const pages = withBreaks(kept, flow, used.slice(1));
  return pages.every((page, index) => page === document.pages[index]) &&
    pages.length === document.pages.length
    ? document
    : { ...document, pages };
}

/**
 * Returns the document without orphans, and without pages that contained only orphans. An orphan is a continuation of a
 * table that was deleted or no longer spans pages.
 */
export function withoutOrphans(document: EditorDocument): EditorDocument {
  const { orphans } = tableFlows(document.pages);
  if (orphans.length === 0) return document;
  return {
    ...document,
    pages: withoutTables(document.pages, new Set(orphans.map(({ element }) => element))),
  };
}
