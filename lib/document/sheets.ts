import { documentLabels } from './document-labels';
import { type Footer, footerOf } from './footer';
import { type Margins, marginsOf } from './margins';
import { filledMaster, masterOf } from './masters';
import type { ContentsSettings, CoverSettings, PageData } from './page-model';
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

/** Returns the size of a sheet. A custom size is returned unchanged, regardless of the orientation. */
export function sheetSize({ format, orientation, customSize }: SizeOptions): SheetSize {
  if (format === 'custom') return customSize;
  const { width, height } = portraitSizes[format];
  return orientation === 'portrait' ? { width, height } : { width: height, height: width };
}

export type ContentsEntry = { title: string; number: number };
/** The margin of a contents sheet, and the heights of its heading and of each row, in millimeters. */
export type ContentsLayout = { margin: number; heading: number; row: number };
/** The sheet's master with its placeholders filled in; null if there is nothing to print. */
type WithMaster = { master: PageData | null };
export type CoverSheet = WithMaster & {
  kind: 'cover';
  cover: CoverSettings;
  title: string;
  margins: Margins['cover'];
};
export type ContentsSheet = WithMaster & {
  kind: 'contents';
  contents: ContentsSettings;
  title: string;
  entries: ContentsEntry[];
  isFirst: boolean;
  layout: ContentsLayout;
};
export type PageSheet = WithMaster & {
  kind: 'page';
  page: PageData;
  title: string;
  footer: Footer;
};
export type Sheet = { number: number } & (CoverSheet | ContentsSheet | PageSheet);
/** A cover or contents sheet, which precedes the pages. */
export type FrontSheet = { number: number } & (CoverSheet | ContentsSheet);
export type SheetPlan = {
  /** A BCP 47 tag. */
  language: string;
  /** The size of every sheet. */
  size: SheetSize;
  /** Bleed and crop marks; the same for every sheet. */
  edge: SheetEdge;
  /** Whether nearly black text and rules are printed in pure black. */
  isPureBlack: boolean;
  /** Placement of pages on their sheets: the unscaled size, the scale, and the position of the upper left corner. */
  pages: { size: SheetSize; scale: number; left: number; top: number };
  sheets: Sheet[];
};

/** The parts of a document that its sheets show. */
export type PlannedDocument = Pick<
  ProjectDocument,
  'format' | 'orientation' | 'customSize' | 'margin' | 'language' | 'cover' | 'contents' | 'masters' | 'pages'
>;

const CONTENTS = { heading: 22, row: 9 };

function contentsLayout(margin: number | null, size: SheetSize): ContentsLayout & { perSheet: number } {
  const { contents } = marginsOf(margin, size);
  const height = size.height - 2 * contents;
  const heading = Math.min(CONTENTS.heading, height / 2);
  const perSheet = Math.max(1, Math.floor((height - heading) / CONTENTS.row));
  return { margin: contents, heading, row: CONTENTS.row, perSheet };
}

/** Returns how many cover and contents sheets a document has. Contents without entries have no sheet. */
export function frontSheetCount(
  { margin, pages }: Pick<PlannedDocument, 'margin' | 'pages'>,
  options: SheetOptions,
): { cover: number; contents: number } {
  const { perSheet } = contentsLayout(margin, sheetSize(options));
  const listed = options.includeToc ? pages.filter((page) => page.inToc).length : 0;
  return { cover: options.includecover ? 1 : 0, contents: Math.ceil(listed / perSheet) };
}

/** Returns the printed number of the page at an index. The numbering includes the sheets before the pages. */
export function pageNumber(
  document: Pick<PlannedDocument, 'margin' | 'pages'>,
  options: SheetOptions,
  index: number,
): number {
  const { cover, contents } = frontSheetCount(document, options);
  return cover + contents + index + 1;
}

/** Returns a page's title, or a label such as `Page 3` if the title is empty. */
export function pageTitle({ title }: Pick<PageData, 'title'>, number: number, language: string): string {
  return title || `${documentLabels(language).page} ${number}`;
}

/** The settings that all page sheets of a document share; `size` is the size of the unscaled page. */
export type PageSetup = Pick<PlannedDocument, 'margin' | 'language' | 'masters'> & { size: SheetSize };

/**
 * Returns the sheet of a page. `number` is the printed page number, and `count` the number of sheets of the whole
 * document.
 */
export function pageSheet(
  { size, margin, language, masters }: PageSetup,
  page: PageData,
  number: number,
  count: number,
): { number: number } & PageSheet {
  const title = pageTitle(page, number, language);
  const found = masterOf(masters, page);
  const master = found && filledMaster(found, { number, count, title });
  const footer = footerOf(page, found, size, margin);
  return { kind: 'page', number, page, master, title, footer };
}

/**
 * Plans the cover and the contents sheets. The contents list the `selected` pages whose `inToc` is true. By default,
 * all pages are selected.
 */
export function frontSheets(
  { margin, language, cover, contents, masters, pages }: PlannedDocument,
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
  const count = counts.cover + counts.contents + pages.length;
  const masterFor = (settings: { masterId: string }, number: number, title: string) => {
    const found = masterOf(masters, settings);
    return found && filledMaster(found, { number, count, title });
  };
  const title = contents.title || documentLabels(language).contents;
  const contentsSheets = Array.from({ length: contentsCount }, (_, index) => ({
    kind: 'contents' as const,
    number: counts.cover + index + 1,
    contents,
    title,
    master: masterFor(contents, counts.cover + index + 1, title),
    entries: entries.slice(index * perSheet, (index + 1) * perSheet),
    isFirst: index === 0,
    layout,
  }));
  if (counts.cover === 0) return contentsSheets;
  const margins = marginsOf(margin, size).cover;
  const coverTitle = cover.title || projectName;
  const master = masterFor(cover, 1, coverTitle);
  return [{ kind: 'cover', number: 1, cover, title: coverTitle, margins, master }, ...contentsSheets];
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

export type PlanOptions = SheetOptions & Pick<ExportOptions, 'pages' | 'bleed' | 'cropMarks' | 'pureBlack'>;

/** Returns a document with its nearly black text, strokes, table lines and rules changed to pure black. */
function inked<Document extends PlannedDocument>(document: Document): Document {
  const { cover, contents, masters, pages } = document;
  return {
    ...document,
    cover: { ...cover, color: pureBlack(cover.color) },
    contents: { ...contents, color: pureBlack(contents.color) },
    masters: masters.map(withPureBlack),
    pages: pages.map(withPureBlack),
  };
}

/**
 * Plans the sheets of a document: cover, contents, then one sheet per page. If only some pages are printed, each keeps
 * the number that it has in the whole document, and only the printed pages are listed in the contents.
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

/**
 * Returns which edges of a page coincide with edges of its sheet. `across` stands for the left and right edges, and
 * `down` stands for the upper and lower edges.
 */
export function edgesOfSheet({ left, top }: SheetPlan['pages']): { across: boolean; down: boolean } {
  // Rounding can leave a gap of less than 0.01 mm.
  return { across: left < 0.01, down: top < 0.01 };
}

/** Returns how many sheets an export with these options has. */
export function sheetCount(
  document: PlannedDocument,
  options: SheetOptions & Pick<ExportOptions, 'pages'>,
): number {
  const selected = pagesInRange(options.pages, document.pages.length);
  return frontSheets(document, '', options, selected).length + selected.size;
}

/** Returns the anchor for links to the sheet with this number, counted from 1. */
export function sheetAnchor(number: number): string {
  return `sheet-${number}`;
}
