import type { PageData, PageElement, TextBlock, TextElement } from './page-model';
import type { Sheet } from './sheets';
import { cellText } from './table-cells';

/**
 * A printed text with its style and location. `pageId` is the id of the page or master, and null on the cover and in
 * the contents; `elementId` is null there and for a page's title.
 */
export type SheetText = {
  pageId: string | null;
  elementId: string | null;
  text: string;
  bold: boolean;
  italic: boolean;
  /** The name of the font; null for the standard one. */
  font: string | null;
};
type StyledText = Omit<SheetText, 'pageId' | 'elementId'>;

const plain = (text: string, font: string | null = null): StyledText => ({
  text,
  bold: false,
  italic: false,
  font,
});
const strong = (text: string, font: string | null = null): StyledText => ({
  ...plain(text, font),
  bold: true,
});

function blockTexts(block: TextBlock, element: TextElement): StyledText[] {
  const runs = block.type === 'list' ? block.items.flat() : block.runs;
  return runs.map(({ text, bold, italic, font = element.font }) => ({
    text,
    bold: bold || element.bold === true || block.type === 'heading',
    italic,
    font,
  }));
}

/** Returns all texts of an element. */
export function elementTexts(element: PageElement): StyledText[] {
  switch (element.type) {
    case 'text':
      return element.blocks.flatMap((block) => blockTexts(block, element));
    case 'material':
      return [
        strong(element.title, element.font),
        ...element.rows.flatMap(({ label, value }) => [
          plain(label, element.font),
          plain(value, element.font),
        ]),
      ];
    case 'table':
      return [
        ...(element.header ? element.columns.map(({ label }) => strong(label, element.font)) : []),
        ...element.rows.flat().map((cell) => plain(cellText(cell), element.font)),
      ];
    default:
      return [];
  }
}

/** Returns all texts of a sheet, in order. */
export function sheetTexts(sheet: Sheet): SheetText[] {
  const at = (pageId: string | null, elementId: string | null, texts: StyledText[]) =>
    texts.map((word) => ({ pageId, elementId, ...word }));
  if (sheet.kind === 'cover') {
    const { subtitle, client, date } = sheet.cover;
    return at(null, null, [strong(sheet.title), ...[subtitle, client, date].map((texts) => plain(texts))]);
  }
  if (sheet.kind === 'contents')
    return at(
      null,
      null,
      sheet.entries.map(({ title }) => plain(title)),
    );
  const { page, master, title } = sheet;
  const textsOf = ({ id, elements }: PageData) =>
    elements.flatMap((element) => at(id, element.id, elementTexts(element)));
  return [
    ...(master ? textsOf(master) : []),
    ...(page.footer ? at(page.id, null, [plain(title)]) : []),
    ...textsOf(page),
  ];
}
