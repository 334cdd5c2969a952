import { documentWords } from './document-words';
import type { CoverSettings, PageData } from './page-model';
import { pagesInRange } from './page-range';
import { pureBlack, withPureBlack } from './pure-black';
import { readablePage } from './readable-page';
import type { ExportOptions, ProjectDocument } from './schema';
import type { SheetEdge } from './sheet-edge';

/** In millimeters. */
export type SheetSize = { width: number; height: number };

const formats: Record<ExportOptions['format'], SheetSize> = {
  A4: { width: 210, height: 297 },
  letter: { width: 215.9, height: 279.4 },
};

/** Returns the size of a sheet in its orientation. */
export function sheetSize({ format, orientation }: Pick<ExportOptions, 'format' | 'orientation'>): SheetSize {
  const { width, height } = formats[format];
  return orientation === 'portrait' ? { width, height } : { width: height, height: width };
}

export type ContentsEntry = { title: string; number: number };
export type Sheet = { number: number } & (
  | { kind: 'cover'; cover: CoverSettings; title: string }
  | { kind: 'contents'; title: string; entries: ContentsEntry[]; isFirst: boolean }
  | { kind: 'page'; page: PageData; title: string }
);
export type SheetPlan = {
  /** A BCP 47 tag. */
  language: string;
  /** The size of every sheet. */
  size: SheetSize;
  /** What is printed around every sheet. */
  edge: SheetEdge;
  /** Whether text and rules that are nearly black are black. */
  isPureBlack: boolean;
  /** The placement of a page on its sheet: its own size, scaled by `scale`, with its corner at `left` and `top`. */
  pages: { size: SheetSize; scale: number; left: number; top: number };
  sheets: Sheet[];
};

/** The dimensions of a contents sheet in millimeters, shared with its renderer. */
export const contentsLayout = { margin: 20, heading: 22, row: 9 };

function fitInto(own: SheetSize, size: SheetSize): SheetPlan['pages'] {
  const scale = Math.min(size.width / own.width, size.height / own.height);
  return {
    size: own,
    scale,
    left: (size.width - own.width * scale) / 2,
    top: (size.height - own.height * scale) / 2,
  };
}

/** The options that determine the sheets of a document. */
export type SheetOptions = Pick<
  ExportOptions,
  'format' | 'orientation' | 'includecover' | 'includeToc' | 'pages' | 'bleed' | 'cropMarks' | 'pureBlack'
>;

/**
 * Plans the sheets of a document before it is rendered: cover, contents, then one sheet per page. Sheets are numbered
 * from the first one. A page keeps the number that it has in the whole document when only some pages are printed; the
 * contents then list only those. A table of contents without entries is left out.
 */
export function planSheets(
  document: Pick<ProjectDocument, 'format' | 'orientation' | 'language' | 'cover' | 'pages'>,
  projectName: string,
  options: SheetOptions,
): SheetPlan {
  const { language } = document;
  const isPureBlack = options.pureBlack;
  const words = documentWords(language);
  const size = sheetSize(options);
  const { margin, heading, row } = contentsLayout;
  const perSheet = Math.floor((size.height - 2 * margin - heading) / row);
  const listed = options.includeToc ? document.pages.filter((page) => page.inToc).length : 0;
  const contentsSheets = Math.ceil(listed / perSheet);
  const coverSheets = options.includecover ? 1 : 0;

  const pages = document.pages.map((page, index) => {
    const number = coverSheets + contentsSheets + index + 1;
    const title = page.title || `${words.page} ${number}`;
    const inked = isPureBlack ? withPureBlack(page) : page;
    return { kind: 'page' as const, number, page: readablePage(inked), title };
  });
  const selected = pagesInRange(options.pages, pages.length);
  const printed = pages.filter((_, index) => selected.has(index + 1));
  const entries = printed.filter(({ page }) => page.inToc).map(({ title, number }) => ({ title, number }));
  const printedContents = options.includeToc ? Math.ceil(entries.length / perSheet) : 0;
  const contents = Array.from({ length: printedContents }, (_, index) => ({
    kind: 'contents' as const,
    number: coverSheets + index + 1,
    title: words.contents,
    entries: entries.slice(index * perSheet, (index + 1) * perSheet),
    isFirst: index === 0,
  }));
  const cover = isPureBlack ? { ...document.cover, color: pureBlack(document.cover.color) } : document.cover;
  const covers = [{ kind: 'cover' as const, number: 1, cover, title: cover.title || projectName }];
  return {
    language,
    size,
    edge: { bleed: options.bleed, cropMarks: options.cropMarks },
    isPureBlack,
    pages: fitInto(sheetSize(document), size),
    sheets: [...covers.slice(0, coverSheets), ...contents, ...printed],
  };
}

/** Returns the id of a sheet as the target of links, by its number from 1. */
export function sheetAnchor(number: number): string {
  return `sheet-${number}`;
}
