import type { TableElement, TextBlock, TextElement, TextRun } from './page-model';
import { cellText } from './table-cells';

// Laying out text takes memory for each character, including invisible text far below its frame. These functions drop
// text that is certainly below the frame. They assume the smallest possible line height and character width, so visible
// text does not change, and text that overflows its frame still overflows it.

const MM_PER_PT = 25.4 / 72;
/** Lower bound for the factor by which a height changes when a browser rounds it to whole pixels. */
const ROUNDING = 0.85;
/** Number of lines to keep below the frame. */
const SPARE_LINES = 3;
/** Font sizes of headings by level, as multiples of the element's font size. They match the style sheet. */
const headingSize = { 1: 1.6, 2: 1.3, 3: 1.1 };
const HEADING_LINE = 1.2;
/** The line height of tables in ems, as in the style sheet. */
const ROW_LINE = 1.3;
/** Sum of the top and bottom padding of a cell in millimeters, as in the style sheet. */
const ROW_PADDING_MM = 2.4;

// Lower bounds for the widths of characters in the standard font, in ems. Each letter is at least a quarter of the font
// size wide, but kerning and ligatures can reduce that.
const LETTER = 0.15;
const IDEOGRAPH = 0.5;
/** The bounds above are multiplied by this for other fonts and for negative tracking. */
const NARROW = 0.25;
/** A lower bound for the size of superscript and subscript, relative to the text around it. */
const RAISED_SIZE = 0.6;
const letters = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0xc0, 0x17f],
  [0x391, 0x3c9],
  [0x410, 0x44f],
] as const;
const ideographs = [
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
] as const;

type Ranges = readonly (readonly [number, number])[];
const isAmong = (ranges: Ranges, code: number) =>
  ranges.some(([first, last]) => code >= first && code <= last);

/**
 * Returns the minimum width of a character in ems. It is 0 for characters outside `letters` and `ideographs`, because
 * some of them can have no width. For example, a space at the end of a line has none.
 */
function leastWidth(code: number): number {
  if (isAmong(letters, code)) return LETTER;
  return isAmong(ideographs, code) ? IDEOGRAPH : 0;
}

type Cut = { runs: TextRun[]; lines: number };

/**
 * Returns the factor by which `leastWidth` is multiplied for the characters of a run. The factor depends on the run's
 * own font, size, position and tracking. `size` and `tracking` are the block's values, which apply if the run has none
 * of its own.
 */
function narrowness(run: TextRun, size: number, tracking: number): number {
  const isNarrow = run.font !== undefined || (run.tracking ?? tracking) < 0;
  return ((run.size ?? size) / size) * (run.position ? RAISED_SIZE : 1) * (isNarrow ? NARROW : 1);
}

/**
 * Drops the text after `maxLines` lines. Each line is `width` ems wide, and an em is `size` points. Returns the
 * remaining text and its minimum number of lines.
 */
function cutRuns(runs: TextRun[], maxLines: number, width: number, size: number, tracking: number): Cut {
  let lines = 0;
  let filled = 0;
  let isBegun = false;
  for (const [index, run] of runs.entries()) {
    const narrow = narrowness(run, size, tracking);
    for (let at = 0; at < run.text.length; at += 1) {
      const code = run.text.charCodeAt(at);
      // A character that is wider than its line takes the whole line.
      filled += Math.min((leastWidth(code) * narrow) / width, 1);
      isBegun = code !== 10;
      if (filled > 1 || !isBegun) {
        lines += 1;
        filled = isBegun ? filled - 1 : 0;
      }
      if (lines > maxLines) {
        // Do not cut between the two halves of a surrogate pair.
        const end = code >= 0xd800 && code <= 0xdbff ? at : at + 1;
        return { runs: [...runs.slice(0, index), { ...run, text: run.text.slice(0, end) }], lines };
      }
    }
  }
  return { runs, lines: isBegun ? lines + 1 : lines };
}

const linesOf = (block: TextBlock) => (block.type === 'list' ? block.items : [block.runs]);

/** Returns whether the text is so short that it is always kept whole. Most text is. */
function isShort(blocks: TextBlock[]): boolean {
  const runs = blocks.flatMap(linesOf).flat();
  return runs.length < 100 && runs.reduce((sum, { text }) => sum + text.length, 0) < 500;
}

type Look = Pick<TextElement, 'font' | 'fontSize' | 'lineHeight' | 'tracking'>;

/** Returns the font, size, line height and tracking of a block. */
function lookOf(block: TextBlock, element: Look): Look {
  const { font, fontSize, lineHeight, tracking } = block.style ?? element;
  const heading = block.type === 'heading' && !block.style ? headingSize[block.level] : null;
  const line = heading === null ? lineHeight : HEADING_LINE;
  return { font, fontSize: fontSize * (heading ?? 1), lineHeight: block.lineHeight ?? line, tracking };
}

/** Returns the blocks of a text element without the parts that are certainly below its frame. */
export function blocksWithinFrame(
  element: Pick<TextElement, 'blocks' | 'w' | 'h' | 'padding' | keyof Look>,
): TextBlock[] {
  const { blocks, w, h, padding } = element;
  if (isShort(blocks)) return blocks;
  const widthMm = Math.max(w - 2 * padding, 0.1);
  let leftMm = h;
  /** Returns the part of a paragraph, heading or list item to keep, or null if it starts too far below the frame. */
  const cut = (runs: TextRun[], look: Look): TextRun[] | null => {
    const sizeMm = look.fontSize * MM_PER_PT;
    const lineMm = sizeMm * look.lineHeight * ROUNDING;
    const maxLines = leftMm / lineMm + SPARE_LINES;
    if (maxLines <= 0) return null;
    const ems = widthMm / sizeMm / (look.font === null ? 1 : NARROW);
    const kept = cutRuns(runs, maxLines, ems, look.fontSize, look.tracking ?? 0);
    leftMm -= kept.lines * lineMm;
    return kept.runs;
  };

  const kept: TextBlock[] = [];
  for (const block of blocks) {
    const look = lookOf(block, element);
    if (block.type === 'list') {
      const items: TextRun[][] = [];
      for (const item of block.items) {
        const runs = cut(item, look);
        if (!runs) break;
        items.push(runs);
      }
      kept.push({ ...block, items });
      if (items.length < block.items.length) break;
    } else {
      const runs = cut(block.runs, look);
      if (!runs) break;
      kept.push({ ...block, runs });
    }
  }
  return kept;
}

/** Returns the rows of a table without those that are certainly below its frame. */
export function rowsWithinFrame({
  rows,
  h,
  fontSize,
}: Pick<TableElement, 'rows' | 'h' | 'fontSize'>): TableElement['rows'] {
  const lineMm = fontSize * MM_PER_PT * ROW_LINE * ROUNDING;
  const paddingMm = ROW_PADDING_MM * ROUNDING;
  let leftMm = h + SPARE_LINES * (lineMm + paddingMm);
  const end = rows.findIndex((row) => {
    if (leftMm < 0) return true;
    leftMm -= paddingMm + (row.some((cell) => cellText(cell) !== '') ? lineMm : 0);
    return false;
  });
  return end < 0 ? rows : rows.slice(0, end);
}
