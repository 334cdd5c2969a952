import { generateJSON } from '@tiptap/react';
import type { PageElement, TextBlock } from '@/lib/document/page-model';
import type { SheetSize } from '@/lib/document/sheets';
import { newText } from '../new-elements';
import { cellsInText } from '../tables/cells-in-text';
import { tableOfCells } from '../tables/table-of-cells';
import { textHtml } from '../text/pasted-html';
import { blocksOf, normalizeBlocks } from '../text/text-blocks';
import { textExtensions } from '../text/text-extensions';

/** Maximum length of text to convert. */
const MAX_LENGTH = 1_000_000;
/** Estimated height of a line of text in millimeters. */
const LINE = 6.5;

function paragraphs(text: string): TextBlock[] {
  return text
    .split(/(?:\r?\n){2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({
      type: 'paragraph',
      runs: [{ text: part, bold: false, italic: false, underline: false, link: null }],
    }));
}

/** A new element. `leftOut` is a message about content that the element lacks, or null if it includes everything. */
type Foreign = { element: PageElement; leftOut: string | null };

/**
 * Converts tab-separated spreadsheet cells to a table. Returns null for other text. `isTable` is true if the
 * clipboard's HTML contains a table.
 */
function tableOf(page: SheetSize, text: string, isTable: boolean): Foreign | null {
  if (!/^[^\r\n]*\t/.test(text)) return null;
  // Without a table in the HTML, a leading tab means indented text. With one, it means that the first cell is empty.
  if (!isTable && /^\s*\t/.test(text)) return null;
  return tableOfCells(page, cellsInText(text));
}

/**
 * Converts text from another program to an element. Spreadsheet cells become a table. Other text becomes a text element
 * that keeps the headings, lists and formatting. Returns null if there is nothing to convert or the text is too long.
 */
export function foreignElement(
  page: SheetSize,
  { text, html }: { text: string; html: string },
): Foreign | null {
  if (text.length > MAX_LENGTH || html.length > MAX_LENGTH) return null;
  // If there is HTML, tabs alone do not mean a table, because word processors put tabs into the plain text of lists.
  const isTable = /<table/i.test(html);
  const table = html.trim() === '' || isTable ? tableOf(page, text, isTable) : null;
  if (table) return table;
  const converted = html.trim() === '' ? null : textHtml(html);
  const { blocks, cut } = converted
    ? blocksOf(generateJSON(converted.html, textExtensions))
    : normalizeBlocks(paragraphs(text));
  if (blocks.length === 0) return null;
  const element = newText(page);
  const lines = blocks.reduce((sum, block) => sum + (block.type === 'list' ? block.items.length : 2), 0);
  const h = Math.max(element.h, Math.min(lines * LINE, page.height - 40));
  const fitted = { ...element, blocks, h, y: Math.max(0, (page.height - h) / 2) };
  return {
    element: fitted,
    leftOut: cut ? 'The text is too long. The end was cut off.' : (converted?.lost ?? null),
  };
}
