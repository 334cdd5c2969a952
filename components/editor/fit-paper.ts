import type { PageData, PageElement, PageGuide, TextBlock, TextRun } from '@/lib/document/page-model';
import { sheetSize } from '@/lib/document/sheets';
import type { DocumentPatch } from './editor-action';
import type { EditorDocument } from './editor-change';
import { boundedFrame, rounded } from './geometry/frames';

/** The settings that determine a document's paper size. */
export type PaperPatch = Pick<EditorDocument, 'format' | 'orientation' | 'customSize'>;

type Fit = { scale: number; left: number; top: number };

/** The page model's limits for lengths that are scaled with an element's frame. */
const limits = {
  fontSize: [4, 400],
  padding: [0, 100],
  space: [0, 100],
  strokeWidth: [0, 50],
  radius: [0, 1000],
} as const;

type ScaledLength = (value: number, limits: readonly [number, number]) => number;

const scaledBy =
  (scale: number): ScaledLength =>
  (value, [min, max]) =>
    Math.min(Math.max(rounded(value * scale), min), max);

function fittedBlock(block: TextBlock, length: ScaledLength): TextBlock {
  const inRuns = (runs: TextRun[]) =>
    runs.map((run) => (run.size === undefined ? run : { ...run, size: length(run.size, limits.fontSize) }));
  const { style, spaceBefore, spaceAfter } = block;
  const scaled = {
    ...(style && { style: { ...style, fontSize: length(style.fontSize, limits.fontSize) } }),
    ...(spaceBefore !== undefined && { spaceBefore: length(spaceBefore, limits.space) }),
    ...(spaceAfter !== undefined && { spaceAfter: length(spaceAfter, limits.space) }),
  };
  return block.type === 'list'
    ? { ...block, ...scaled, items: block.items.map(inRuns) }
    : { ...block, ...scaled, runs: inRuns(block.runs) };
}

function fittedElement(element: PageElement, { scale, left, top }: Fit): PageElement {
  const { x, y, w, h, rotation } = element;
  const position = { x: x * scale + left, y: y * scale + top, w: w * scale, h: h * scale, rotation };
  const length = scaledBy(scale);
  const scaled = { ...element, ...boundedFrame(position) };
  if ('fontSize' in scaled) scaled.fontSize = length(scaled.fontSize, limits.fontSize);
  if (scaled.type === 'text') {
    scaled.padding = length(scaled.padding, limits.padding);
    scaled.blocks = scaled.blocks.map((block) => fittedBlock(block, length));
  }
  if (scaled.type === 'shape') {
    scaled.strokeWidth = length(scaled.strokeWidth, limits.strokeWidth);
    scaled.radius = length(scaled.radius, limits.radius);
  }
  return scaled;
}

function fittedGuide({ axis, at }: PageGuide, { scale, left, top }: Fit): PageGuide {
  const position = rounded(at * scale + (axis === 'x' ? left : top));
  return { axis, at: Math.min(Math.max(position, -2000), 2000) };
}

/**
 * Returns the changes that give a document a new paper size. If `scale` is true, the contents of pages and masters are
 * scaled by one factor to fit the new paper, and centered on it. The font sizes of the paragraph styles are scaled by
 * the same factor, because they determine the font sizes of the text that uses the styles. If `scale` is false,
 * everything keeps its position and size.
 */
export function fitPaper(document: EditorDocument, paper: PaperPatch, scale: boolean): DocumentPatch {
  const [from, to] = [sheetSize(document), sheetSize(paper)];
  if (!scale) return paper;
  const factor = Math.min(to.width / from.width, to.height / from.height);
  const fit = {
    scale: factor,
    left: (to.width - from.width * factor) / 2,
    top: (to.height - from.height * factor) / 2,
  };
  const fitted = (page: PageData) => ({
    ...page,
    elements: page.elements.map((element) => fittedElement(element, fit)),
    ...(page.guides && { guides: page.guides.map((guide) => fittedGuide(guide, fit)) }),
  });
  const length = scaledBy(factor);
  const styles = document.styles.map((style) => ({
    ...style,
    fontSize: length(style.fontSize, limits.fontSize),
  }));
  return { ...paper, styles, masters: document.masters.map(fitted), pages: document.pages.map(fitted) };
}
