import type { PageData, TableElement } from './page-model';
import { withoutUndefined } from './without-undefined';

// A table that spans pages stores all its rows in one element, its head, so that a merge of two versions cannot lose or
// repeat a row. The tables that continue it contribute only their frames. Before pages are rendered, `flowedPages`
// distributes the rows over the frames.

type Placed = { pageId: string; element: TableElement };
/** A table that spans pages: its head, and the tables that continue it, in page order. */
export type TableFlow = { id: string; head: Placed; continued: Placed[] };

const isFlowing = ({ flowId, continues }: TableElement) => flowId !== undefined || continues !== undefined;

function tablesOf(page: PageData): TableElement[] {
  return page.elements.flatMap((element) =>
    element.type === 'table' && isFlowing(element) ? [element] : [],
  );
}

/** Returns whether a page contains part of a table that spans pages. */
export function hasFlow(page: PageData): boolean {
  return tablesOf(page).length > 0;
}

/** Returns the tables that span pages. `orphans` are tables that continue a table that does not exist. */
export function tableFlows(pages: readonly PageData[]): { flows: TableFlow[]; orphans: Placed[] } {
  const placed = pages.flatMap((page) => tablesOf(page).map((element) => ({ pageId: page.id, element })));
  const flows = new Map<string, TableFlow>();
  for (const head of placed) {
    const { flowId, continues } = head.element;
    if (flowId !== undefined && continues === undefined && !flows.has(flowId))
      flows.set(flowId, { id: flowId, head, continued: [] });
  }
  const orphans: Placed[] = [];
  for (const one of placed) {
    const { continues } = one.element;
    if (continues !== undefined) (flows.get(continues)?.continued ?? orphans).push(one);
  }
  return { flows: [...flows.values()], orphans };
}

/** Returns, for each frame of a flow, the index of its first row. Each row is in exactly one frame. */
function startsOf({ head, continued }: TableFlow): number[] {
  const { rows, breaks = [] } = head.element;
  let start = 0;
  return [
    0,
    ...continued.map((_, index) => {
      start = Math.min(Math.max(start, breaks[index] ?? rows.length), rows.length);
      return start;
    }),
  ];
}

/** The rows of a flow that one of its frames shows: from the index `start` up to, but not including, `end`. */
export type ShownRows = { flow: TableFlow; start: number; end: number };

/** Returns the rows that each table of these flows shows. */
function shownRows(flows: readonly TableFlow[]): Map<TableElement, ShownRows> {
  const shown = new Map<TableElement, ShownRows>();
  for (const flow of flows) {
    const starts = startsOf(flow);
    for (const [index, { element }] of [flow.head, ...flow.continued].entries())
      shown.set(element, {
        flow,
        start: starts[index] ?? 0,
        end: starts[index + 1] ?? flow.head.element.rows.length,
      });
  }
  return shown;
}

/** Returns which rows a table on these pages shows, or null if it does not span pages. */
export function rowsShownBy(table: TableElement, pages: readonly PageData[]): ShownRows | null {
  return shownRows(tableFlows(pages).flows).get(table) ?? null;
}

function withShownRows(table: TableElement, { flow, start, end }: ShownRows): TableElement {
  const rows = flow.head.element.rows.slice(start, end);
  if (table.continues === undefined) return { ...table, rows };
  const { id, name, x, y, w, h, z, rotation, locked, groupId, continues } = table;
  const { flowId: _, breaks: __, ...content } = flow.head.element;
  const own = { id, name, x, y, w, h, z, rotation, locked, groupId, continues };
  return withoutUndefined({ ...content, ...own, rows, header: content.header && rows.length > 0 });
}

/**
 * Returns a table as it is shown on these pages. `start` is the index of its first row among all rows of the flow.
 * `isLast` is true if no rows follow those that it shows. A table that continues a flow takes its header, columns and
 * styles from the flow's head.
 */
export function shownTable(
  table: TableElement,
  pages: readonly PageData[],
): { table: TableElement; start: number; isLast: boolean } {
  const shown = rowsShownBy(table, pages);
  if (!shown) return { table, start: 0, isLast: true };
  const { flow, start, end } = shown;
  return { table: withShownRows(table, shown), start, isLast: end === flow.head.element.rows.length };
}

/**
 * Returns the pages with the rows of each flow distributed over its tables, so that each table holds the rows that it
 * shows. Pages without such a table are the same objects as before.
 */
export function flowedPages(pages: readonly PageData[]): PageData[] {
  if (!pages.some(hasFlow)) return [...pages];
  const shown = shownRows(tableFlows(pages).flows);
  return pages.map((page) => {
    if (!hasFlow(page)) return page;
    const elements = page.elements.map((element) => {
      const rows = element.type === 'table' ? shown.get(element) : undefined;
      return element.type === 'table' && rows ? withShownRows(element, rows) : element;
    });
    return { ...page, elements };
  });
}

/** Returns `page` as `flowedPages` would return it. `page` replaces the page with the same id in `pages`. */
export function flowedPage(page: PageData, pages: readonly PageData[]): PageData {
  if (!hasFlow(page)) return page;
  const at = pages.findIndex(({ id }) => id === page.id);
  return flowedPages(pages.with(at, page))[at] ?? page;
}

/** Returns a copy of a table without the fields that connect it to other tables. */
function withoutFlow(table: TableElement): TableElement {
  const { flowId: _, breaks: __, continues: ___, ...rest } = table;
  return rest;
}

/** Returns a page that looks like `page`, but whose tables are not connected to tables on other pages. */
export function standalonePage(page: PageData, pages: readonly PageData[]): PageData {
  if (!hasFlow(page)) return page;
  const elements = flowedPage(page, pages).elements.map((element) =>
    element.type === 'table' ? withoutFlow(element) : element,
  );
  return { ...page, elements };
}

/** Returns the flow ids of the tables that span pages. */
export function flowIdsOf(pages: readonly PageData[]): Set<string> {
  return new Set(tableFlows(pages).flows.map(({ id }) => id));
}

/**
 * Returns a page that contains an ordinary table, which does not span pages, in place of each table with a `flowId` in
 * `taken`. `taken` holds the flow ids that other tables already use.
 */
export function withoutTakenFlows(page: PageData, taken: ReadonlySet<string>): PageData {
  const isTaken = (table: TableElement) => table.flowId !== undefined && taken.has(table.flowId);
  if (!tablesOf(page).some(isTaken)) return page;
  const elements = page.elements.map((element) =>
    element.type === 'table' && isTaken(element) ? withoutFlow(element) : element,
  );
  return { ...page, elements };
}

/** The measured heights of a table's header and rows at a given width, all in millimeters. */
export type MeasuredTable = { width: number; header: number; rows: readonly number[] };
type FrameSize = { w: number; h: number };

/** How many millimeters taller than its frame a table may be, to allow for rounding errors in measured heights. */
const TOLERANCE = 0.02;

/**
 * Distributes `count` rows over `frames`, and over additional frames of the size `next` if needed, up to `max` frames
 * in total. Each frame gets at least one row while there are rows left. Returns the index of the first row in each
 * frame. Returns null if one of the frames has a width at which `measured` lacks the heights of exactly `count` rows.
 */
export function rowStarts(
  count: number,
  frames: readonly FrameSize[],
  next: FrameSize,
  measured: readonly MeasuredTable[],
  max: number,
): number[] | null {
  const starts: number[] = [];
  let at = 0;
  for (let index = 0; index < max && (index < frames.length || at < count); index += 1) {
    const { w, h } = frames[index] ?? next;
    const sizes = measured.find(({ width }) => width === w);
    if (!sizes || sizes.rows.length !== count) return null;
    starts.push(at);
    let left = h + TOLERANCE - sizes.header;
    const first = at;
    while (at < count && (at === first || (sizes.rows[at] ?? 0) <= left)) {
      left -= sizes.rows[at] ?? 0;
      at += 1;
    }
  }
  return starts;
}
