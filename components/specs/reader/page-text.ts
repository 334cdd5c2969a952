import type { PDFPageProxy } from 'pdfjs-dist';
import type { TextRange } from './find-words';

/** The text of a page, as PDF.js returns it. */
export type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;

/** Returns the pieces of a page's text; the text layer has an element for each of them. */
export function piecesOf({ items }: TextContent): { text: string; isEndOfLine: boolean }[] {
  return items.flatMap((item) => ('str' in item ? [{ text: item.str, isEndOfLine: item.hasEOL }] : []));
}

/** Returns the text of a page in one string, with a line break at the end of each line. */
export function pageTextOf(content: TextContent): string {
  return piecesOf(content)
    .map(({ text, isEndOfLine }) => (isEndOfLine ? `${text}\n` : text))
    .join('');
}

/**
 * Returns a DOM range for each text range. `elements` are the elements of the text layer, one for each piece of the
 * text.
 */
export function rangesOf(content: TextContent, elements: HTMLElement[], ranges: TextRange[]): Range[] {
  const pieces = piecesOf(content);
  const starts: number[] = [];
  let length = 0;
  for (const { text, isEndOfLine } of pieces) {
    starts.push(length);
    length += text.length + (isEndOfLine ? 1 : 0);
  }
  /** Returns the text node at a position and the offset in that node, or null if there is no node. */
  const nodeAt = (position: number): [Node, number] | null => {
    const after = starts.findIndex((start) => start > position);
    const n = (after < 0 ? starts.length : after) - 1;
    const node = elements[n]?.firstChild;
    return node ? [node, Math.min(position - (starts[n] ?? 0), node.textContent?.length ?? 0)] : null;
  };
  return ranges.map(({ start, end }) => {
    const range = document.createRange();
    const from = nodeAt(start);
    const to = nodeAt(end - 1);
    if (from && to) {
      range.setStart(...from);
      range.setEnd(to[0], Math.min(to[1] + 1, to[0].textContent?.length ?? 0));
    }
    return range;
  });
}
