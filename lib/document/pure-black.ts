import type { PageData, PageElement, TextBlock, TextRun } from './page-model';

export const BLACK = '#000000';
/** A color counts as nearly black if no channel exceeds `DARKEST` and its channels differ by at most `NEUTRAL`. */
const DARKEST = 64;
const NEUTRAL = 24;
/** A filled shape that is at most this thick, in millimeters, counts as a rule (a line). */
const RULE_MM = 2;

/** Returns black for a color that is nearly black and neutral, and any other color unchanged. */
export function pureBlack(color: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const highest = Math.max(...channels);
  return highest <= DARKEST && highest - Math.min(...channels) <= NEUTRAL ? BLACK : color;
}

const runsInInk = (runs: TextRun[]) =>
  runs.map((run) => (run.color === undefined ? run : { ...run, color: pureBlack(run.color) }));

function blockInInk(block: TextBlock): TextBlock {
  const style = block.style && { ...block.style, color: pureBlack(block.style.color) };
  return block.type === 'list'
    ? { ...block, style, items: block.items.map(runsInInk) }
    : { ...block, style, runs: runsInInk(block.runs) };
}

function inkOf(element: PageElement): PageElement {
  switch (element.type) {
    case 'text':
      return { ...element, color: pureBlack(element.color), blocks: element.blocks.map(blockInInk) };
    case 'material':
      return { ...element, color: pureBlack(element.color) };
    case 'table':
      return { ...element, color: pureBlack(element.color), lineColor: pureBlack(element.lineColor) };
    case 'shape': {
      const isRule = Math.min(element.w, element.h) <= RULE_MM;
      return {
        ...element,
        stroke: element.stroke && pureBlack(element.stroke),
        fill: element.fill && isRule ? pureBlack(element.fill) : element.fill,
      };
    }
    default:
      return element;
  }
}

/**
 * Returns a page with nearly black text, strokes, table lines and rules changed to pure black. Larger areas keep their
 * color.
 */
export function withPureBlack(page: PageData): PageData {
  return { ...page, elements: page.elements.map(inkOf) };
}
