import type { PageData, TableElement } from './page-model';

// A table that runs over pages has all its rows in one element, its head, so that a merge of two versions cannot lose or
// repeat a row. The tables that continue it have a frame only. Before pages are rendered, `flowedPages` distributes the
// rows over the frames.

type Placed = { pageId: string; element: TableElement };
/** A table that runs over pages, with the tables that continue it in the order of their pages. */
export type TableFlow = { id: string; head: Placed; continued: Placed[] };

const isFlowing = ({ flowId, continues }: TableElement) => flowId !== undefined || continues !== undefined;

function tablesOf(page: PageData): TableElement[] {
  return page.elements.flatMap((element) =>
    element.type === 'table' && isFlowing(element) ? [element] : [],
  );
}

/** Returns whether a page has a part of a table that runs over pages. */
export function hasFlow(page: PageData): boolean {
  return tablesOf(page).length > 0;
}

/** Returns the tables that run over pages, and the tables that continue one that does not exist. */
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

/** Returns where each frame of a flow starts in the rows of its head. Each row is in exactly one frame. */
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

/** The rows of its head that a frame of a flow shows: from the index `start` up to the index `end`. */
export type ShownRows = { flow: TableFlow; start: number; end: number };

/** Returns the rows that each table of the flows shows. */
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

/** Returns which rows a table of these pages shows, or null if it does not run over pages. */
export function rowsShownBy(table: TableElement, pages: readonly PageData[]): ShownRows | null {
  return shownRows(tableFlows(pages).flows).get(table) ?? null;
}

function withShownRows(table: TableElement, { flow, start, end }: ShownRows): TableElement {
  const rows = flow.head.element.rows.slice(start, end);
  if (table.continues === undefined) return { ...table, rows };
  const { id, name, x, y, w, h, z, rotation, locked, continues } = table;
  const { flowId: _, breaks: __, ...content } = flow.head.element;
  const own = { id, name, x, y, w, h, z, rotation, locked, continues };
  return { ...content, ...own, rows, header: content.header && rows.length > 0 };
}

/**
 * Returns a table of these pages with the rows that it shows, the index of the first of them in the whole table, and
 * whether no other table shows later ones. The header, columns and styles are those of the table where the rows start.
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

/** Returns pages whose tables have the rows that they show. Pages without a table that runs over pages stay the same. */
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

/** Returns a page of these pages with the rows that its tables show. */
export function flowedPage(page: PageData, pages: readonly PageData[]): PageData {
  if (!hasFlow(page)) return page;
  const at = pages.findIndex(({ id }) => id === page.id);
  return flowedPages(pages.with(at, page))[at] ?? page;
}

/** Returns a table that does not run over pages. */
function withoutFlow(table: TableElement): TableElement {
  const { flowId: _, breaks: __, continues: ___, ...rest } = table;
  return rest;
}

/** Returns a page of these pages that looks the same, with tables that do not run over pages. */
export function standalonePage(page: PageData, pages: readonly PageData[]): PageData {
  if (!hasFlow(page)) return page;
  const elements = flowedPage(page, pages).elements.map((element) =>
    element.type === 'table' ? withoutFlow(element) : element,
  );
  return { ...page, elements };
}

/** Returns the ids of the tables that run over pages. */
export function flowIdsOf(pages: readonly PageData[]): Set<string> {
  return new Set(tableFlows(pages).flows.map(({ id }) => id));
}

/** Returns a page without flows that the ids in `taken` already have, whose rows would be shown by other tables. */
export function withoutTakenFlows(page: PageData, taken: ReadonlySet<string>): PageData {
  const isTaken = (table: TableElement) => table.flowId !== undefined && taken.has(table.flowId);
  if (!tablesOf(page).some(isTaken)) return page;
  const elements = page.elements.map((element) =>
    element.type === 'table' && isTaken(element) ? withoutFlow(element) : element,
  );
  return { ...page, elements };
}

/** The heights of the parts of a table at a width, all in millimeters. */
export type MeasuredTable = { width: number; header: number; rows: readonly number[] };
type FrameSize = { w: number; h: number };

/** Rounding in the measured heights that does not count as overflow, in millimeters. */
const TOLERANCE = 0.02;

/**
 * Returns the index of the first row of each frame, and then of each additional frame like `next` that the rows need,
 * with at most `max` frames in total. A frame has at least one row while there are some. Returns null if a width was
 * not measured.
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
