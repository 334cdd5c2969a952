import { generateJSON } from '@tiptap/react';
import type { PageElement, TextBlock } from '@/lib/document/page-model';
import type { SheetSize } from '@/lib/document/sheets';
import { leftOut, MAX_COLUMNS, withPasted } from '../inspector/table-changes';
import { newTable, newText } from '../new-elements';
import { textHtml } from '../text/pasted-html';
import { blocksOf, normaliseBlocks } from '../text/text-blocks';
import { textExtensions } from '../text/text-extensions';

/** Longer text is not converted. */
const MAX_LENGTH = 1_000_000;
/** Estimated height of a line of text and of a table row, in millimeters. */
const LINE = 6.5;
const ROW = 6.5;

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

/** An element, and a message about the part of the text that it leaves out, or null if there is none. */
type Foreign = { element: PageElement; leftOut: string | null };

/**
 * Converts tab-separated spreadsheet cells to a table, or returns null for other text. The first line becomes the
 * header if none of its cells is empty or too long for a label, and more lines follow.
 */
function tableOf(page: SheetSize, text: string): Foreign | null {
  const [first = ''] = text.split(/\r?\n/, 1);
  const cells = first.split('\t');
  // A leading tab means indented text, not a table.
  if (cells.length < 2 || cells[0]?.trim() === '') return null;
  const heads = cells.slice(0, MAX_COLUMNS);
  const hasHead = heads.every((cell) => cell.trim() !== '' && cell.length <= 200) && /\n./.test(text);
  const table = newTable(page);
  const columns = heads.map((cell) => ({
    label: hasHead ? cell.replace(/\s+/g, ' ').trim() : '',
    width: 1,
    align: 'left' as const,
  }));
  const body = hasHead ? text.slice(text.indexOf('\n') + 1) : text;
  const grid = withPasted({ columns, rows: [] }, 0, 0, body);
  const rows = grid.rows.length + (hasHead ? 1 : 0);
  const h = Math.min(Math.max(rows * ROW, ROW), page.height - table.y);
  return { element: { ...table, ...grid, header: hasHead, h }, leftOut: leftOut(0, 0, body) };
}

/**
 * Converts text from another program to an element: spreadsheet cells to a table, other text to a text element with its
 * headings, lists and formatting. Returns null if there is nothing to convert or the text is too long.
 */
export function foreignElement(
  page: SheetSize,
  { text, html }: { text: string; html: string },
): Foreign | null {
  if (text.length > MAX_LENGTH || html.length > MAX_LENGTH) return null;
  // Tabs alone do not mean a table if there is HTML: word processors put tabs into the plain text of lists.
  const table = html.trim() === '' || /<table/i.test(html) ? tableOf(page, text) : null;
  if (table) return table;
  const converted = html.trim() === '' ? null : textHtml(html);
  const { blocks, cut } = converted
    ? blocksOf(generateJSON(converted.html, textExtensions))
    : normaliseBlocks(paragraphs(text));
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
