import { newKey } from '@/hooks/new-key';
import { type TextBlock, type TextElement, textElement, textLimits } from '@/lib/document/page-model';
import { type Area, cells } from '@/lib/document/templates/areas';
import { asLine, MM_PER_POINT } from '@/lib/document/templates/parts';
import type { Standard, StandardSection } from '@/lib/specs/standards/schema';

const TEXT_SIZE = 10;
const CAPTION_SIZE = 8;
const LINE_HEIGHT = 1.4;
/** The gap after a paragraph, in lines. */
const PARAGRAPH_GAP = 0.4;
/** The height of the title with its margins, in lines. */
const TITLE_LINES = 2;
/** The preferred width-to-height ratio of the grid's cells. */
const ASPECT = 1.5;

type Source = Pick<Standard, 'fileName' | 'version'>;

/** Returns the caption of a section: the file name, the page if it is known, and the version. */
function captionOf({ fileName, version }: Source, { page }: StandardSection): string {
  return [asLine(fileName, 255), ...(page === null ? [] : [`page ${page}`]), `version ${version}`].join(', ');
}

/**
 * Splits `text` into paragraphs, one for each non-blank line. If there are too many, joins the last ones, to leave room
 * for the other blocks of the text element. `others` is the number of these other blocks.
 */
function linesOf(text: string | null, others: number): string[] {
  const lines = (text ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
  const max = textLimits.blocks - others;
  // The last paragraph takes all remaining lines, so that no text is lost.
  return lines.length <= max ? lines : [...lines.slice(0, max - 1), lines.slice(max - 1).join('\n')];
}

/**
 * Estimates the height, in millimeters, of a title and `lines` in a frame that is `width` millimeters wide. Assumes
 * that a letter is about half as wide as the font size.
 */
function heightOf(lines: readonly string[], width: number): number {
  const perLine = Math.max(1, Math.floor(width / (TEXT_SIZE * MM_PER_POINT * 0.52)));
  const count = lines.reduce((sum, line) => sum + Math.ceil(line.length / perLine) + PARAGRAPH_GAP, 0);
  return (count + TITLE_LINES) * TEXT_SIZE * MM_PER_POINT * LINE_HEIGHT;
}

/**
 * Creates a text element for each section and places the elements in a grid within `area`. Each element contains the
 * title, the text and the source of its section. The editor reports text that does not fit its frame.
 */
export function standardElements(
  source: Source,
  sections: readonly StandardSection[],
  area: Area,
): TextElement[] {
  const slots = cells(area, sections.length, ASPECT);
  return sections.flatMap((section, index) => {
    const slot = slots[index];
    if (!slot) return [];
    const caption = captionOf(source, section);
    const lines = linesOf(section.text, 2);
    const blocks: TextBlock[] = [
      { type: 'heading', level: 3, runs: [run(asLine(section.title, 300))] },
      ...lines.map((line): TextBlock => ({ type: 'paragraph', runs: [run(line)] })),
      { type: 'paragraph', runs: [{ ...run(caption), size: CAPTION_SIZE, color: '#6a7078' }] },
    ];
    const h = Math.min(slot.h, Math.ceil(heightOf([...lines, caption], slot.w)));
    const look = { fontSize: TEXT_SIZE, lineHeight: LINE_HEIGHT };
    return [textElement.parse({ id: newKey(), type: 'text', ...slot, h, ...look, blocks })];
  });
}

const run = (text: string) => ({ text, bold: false, italic: false, underline: false, link: null });
