import { documentLabels } from './document-labels';
import { type Margins, marginsOf } from './margins';
import { filledMaster, masterOf } from './masters';
import type { CoverSettings, PageData } from './page-model';
import { pagesInRange } from './page-range';
import { pureBlack, withPureBlack } from './pure-black';
import { readablePage } from './readable-page';
import type { ExportOptions, ProjectDocument, SheetOptions } from './schema';
import type { SheetEdge } from './sheet-edge';
import { flowedPages } from './table-flow';

/** In millimeters. */
export type SheetSize = { width: number; height: number };
type SizeOptions = Pick<SheetOptions, 'format' | 'orientation' | 'customSize'>;

const portraitSizes: Record<Exclude<SizeOptions['format'], 'custom'>, SheetSize> = {
  A4: { width: 210, height: 297 },
  letter: { width: 215.9, height: 279.4 },
  A3: { width: 297, height: 420 },
  // The slide size of presentation programs.
  '16:9': { width: 190.5, height: 338.67 },
  square: { width: 210, height: 210 },
};

/** Returns the size of a sheet. A custom size is used as it is, regardless of the orientation. */
export function sheetSize({ format, orientation, customSize }: SizeOptions): SheetSize {
  if (format === 'custom') return customSize;
  const { width, height } = portraitSizes[format];
  return orientation === 'portrait' ? { width, height } : { width: height, height: width };
}

export type ContentsEntry = { title: string; number: number };
/** The dimensions of a contents sheet in millimeters. */
export type ContentsLayout = { margin: number; heading: number; row: number };
export type CoverSheet = { kind: 'cover'; cover: CoverSettings; title: string; margins: Margins['cover'] };
export type ContentsSheet = {
  kind: 'contents';
  title: string;
  entries: ContentsEntry[];
  isFirst: boolean;
  layout: ContentsLayout;
};
export type PageSheet = {
  kind: 'page';
  page: PageData;
  /** The page's master with its placeholders filled in; null if there is nothing to print. */
  master: PageData | null;
  title: string;
  /** The margin of the footer in millimeters. */
  footerMargin: number;
};
export type Sheet = { number: number } & (CoverSheet | ContentsSheet | PageSheet);
/** A sheet before the pages. */
export type FrontSheet = { number: number } & (CoverSheet | ContentsSheet);
export type SheetPlan = {
  /** A BCP 47 tag. */
  language: string;
  /** The size of every sheet. */
  size: SheetSize;
  /** What is printed around every sheet. */
  edge: SheetEdge;
  /** Whether nearly black text and rules are printed in pure black. */
  isPureBlack: boolean;
  /** The placement of a page on its sheet: its own size, scaled by `scale`, with its corner at `left` and `top`. */
  pages: { size: SheetSize; scale: number; left: number; top: number };
  sheets: Sheet[];
};

/** The parts of a document that its sheets show. */
export type PlannedDocument = Pick<
  ProjectDocument,
  'format' | 'orientation' | 'customSize' | 'margin' | 'language' | 'cover' | 'masters' | 'pages'
>;

const CONTENTS = { heading: 22, row: 9 };

function contentsLayout(margin: number | null, size: SheetSize): ContentsLayout & { perSheet: number } {
  const { contents } = marginsOf(margin, size);
  const height = size.height - 2 * contents;
  const heading = Math.min(CONTENTS.heading, height / 2);
  const perSheet = Math.max(1, Math.floor((height - heading) / CONTENTS.row));
  return { margin: contents, heading, row: CONTENTS.row, perSheet };
}

/** Returns the number of sheets before the first page. Contents without entries are left out. */
export function frontSheetCount(
  { margin, pages }: Pick<PlannedDocument, 'margin' | 'pages'>,
  options: SheetOptions,
): { cover: number; contents: number } {
  const { perSheet } = contentsLayout(margin, sheetSize(options));
  const listed = options.includeToc ? pages.filter((page) => page.inToc).length : 0;
  return { cover: options.includecover ? 1 : 0, contents: Math.ceil(listed / perSheet) };
}

/** Returns the number of a page by its index in the document: sheets are numbered from the first one, like in the PDF. */
export function pageNumber(
  document: Pick<PlannedDocument, 'margin' | 'pages'>,
  options: SheetOptions,
  index: number,
): number {
  const { cover, contents } = frontSheetCount(document, options);
  return cover + contents + index + 1;
}

/** Returns the title of a page, or its number if it has none. */
export function pageTitle({ title }: Pick<PageData, 'title'>, number: number, language: string): string {
  return title || `${documentLabels(language).page} ${number}`;
}

/** What the sheets of all pages of a document have in common. */
export type PageSetup = Pick<PlannedDocument, 'margin' | 'language' | 'masters'> & { size: SheetSize };

/** Returns the sheet of a page. `count` is the number of all sheets. */
export function pageSheet(
  { size, margin, language, masters }: PageSetup,
  page: PageData,
  number: number,
  count: number,
): { number: number } & PageSheet {
  const title = pageTitle(page, number, language);
  const found = masterOf(masters, page);
  const master = found && filledMaster(found, { number, count, title });
  const footerMargin = marginsOf(margin, size).footer;
  return { kind: 'page', number, page, master, title, footerMargin };
}

/** Plans the sheets before the pages: cover and contents, which list the `selected` pages, by default all. */
export function frontSheets(
  { margin, language, cover, pages }: PlannedDocument,
  projectName: string,
  options: SheetOptions,
  selected = pagesInRange(null, pages.length),
): FrontSheet[] {
  const size = sheetSize(options);
  const counts = frontSheetCount({ margin, pages }, options);
  const { perSheet, ...layout } = contentsLayout(margin, size);
  const entries = pages.flatMap((page, index) => {
    const number = counts.cover + counts.contents + index + 1;
    return page.inToc && selected.has(index + 1)
      ? [{ title: pageTitle(page, number, language), number }]
      : [];
  });
  const contentsCount = options.includeToc ? Math.ceil(entries.length / perSheet) : 0;
  const contents = Array.from({ length: contentsCount }, (_, index) => ({
    kind: 'contents' as const,
    number: counts.cover + index + 1,
    title: documentLabels(language).contents,
    entries: entries.slice(index * perSheet, (index + 1) * perSheet),
    isFirst: index === 0,
    layout,
  }));
  if (counts.cover === 0) return contents;
  const margins = marginsOf(margin, size).cover;
  return [{ kind: 'cover', number: 1, cover, title: cover.title || projectName, margins }, ...contents];
}

function fitInto(own: SheetSize, size: SheetSize): SheetPlan['pages'] {
  const scale = Math.min(size.width / own.width, size.height / own.height);
  return {
    size: own,
    scale,
    left: (size.width - own.width * scale) / 2,
    top: (size.height - own.height * scale) / 2,
  };
}

/** The options of a plan. */
export type PlanOptions = SheetOptions & Pick<ExportOptions, 'pages' | 'bleed' | 'cropMarks' | 'pureBlack'>;

/** Returns the parts of a document with nearly black text and rules in pure black. */
function inked<Document extends PlannedDocument>(document: Document): Document {
  const { cover, masters, pages } = document;
  return {
    ...document,
    cover: { ...cover, color: pureBlack(cover.color) },
    masters: masters.map(withPureBlack),
    pages: pages.map(withPureBlack),
  };
}

/**
 * Plans the sheets of a document before it is rendered: cover, contents, then one sheet per page. A page keeps the
 * number that it has in the whole document when only some pages are printed; the contents then list only those.
 */
export function planSheets(document: PlannedDocument, projectName: string, options: PlanOptions): SheetPlan {
  const size = sheetSize(options);
  const ownSize = sheetSize(document);
  const printed = options.pureBlack ? inked(document) : document;
  const selected = pagesInRange(options.pages, document.pages.length);
  const { cover, contents } = frontSheetCount(document, options);
  const first = cover + contents + 1;
  const count = cover + contents + document.pages.length;
  const pages = flowedPages(printed.pages).map((page, index) =>
    pageSheet({ ...printed, size: ownSize }, readablePage(page), first + index, count),
  );
  return {
    language: document.language,
    size,
    edge: { bleed: options.bleed, cropMarks: options.cropMarks },
    isPureBlack: options.pureBlack,
    pages: fitInto(ownSize, size),
    sheets: [
      ...frontSheets(printed, projectName, options, selected),
      ...pages.filter((_, index) => selected.has(index + 1)),
    ],
  };
}

/** Returns how many sheets an export with these options has. */
export function sheetCount(
  document: PlannedDocument,
  options: SheetOptions & Pick<ExportOptions, 'pages'>,
): number {
  const selected = pagesInRange(options.pages, document.pages.length);
  return frontSheets(document, '', options, selected).length + selected.size;
}

/** Returns the id of a sheet as the target of links, by its number from 1. */
export function sheetAnchor(number: number): string {
  return `sheet-${number}`;
}
