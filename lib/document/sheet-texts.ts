import type { PageData, PageElement, TextBlock, TextElement } from './page-model';
import type { Sheet } from './sheets';
import { cellText } from './table-cells';

/**
 * A piece of printed text with its style and location. `pageId` is the id of the page or master. Text of the cover and
 * the contents that is not on a master has neither `pageId` nor `elementId`. A page title in the footer has no
 * `elementId`.
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
  const { style = element } = block;
  const isBold = style.bold === true || (block.type === 'heading' && !block.style);
  return runs.map(({ text, bold, italic, font = style.font }) => ({
    text,
    bold: bold || isBold,
    italic,
    font,
  }));
}

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

/**
 * Returns the pieces of text on a sheet, those of its master first. Leaves out list markers, scale bar labels, and the
 * page numbers of footers and contents.
 */
export function sheetTexts(sheet: Sheet): SheetText[] {
  const at = (pageId: string | null, elementId: string | null, texts: StyledText[]) =>
    texts.map((word) => ({ pageId, elementId, ...word }));
  const textsOf = ({ id, elements }: PageData) =>
    elements.flatMap((element) => at(id, element.id, elementTexts(element)));
  const inMaster = sheet.master ? textsOf(sheet.master) : [];
  if (sheet.kind === 'cover') {
    const { subtitle, client, date, font } = sheet.cover;
    const details = [subtitle, client, date].map((text) => plain(text, font));
    return [...inMaster, ...at(null, null, [strong(sheet.title, font), ...details])];
  }
  if (sheet.kind === 'contents') {
    const { font } = sheet.contents;
    const entries = sheet.entries.map(({ title }) => plain(title, font));
    return [...inMaster, ...at(null, null, [strong(sheet.title, font), ...entries])];
  }
  const { page, title, footer } = sheet;
  return [...inMaster, ...(footer.hasTitle ? at(page.id, null, [plain(title)]) : []), ...textsOf(page)];
}
