import type { PageData, PageElement, PageGuide, TextBlock, TextRun } from '@/lib/document/page-model';
import { sheetSize } from '@/lib/document/sheets';
import type { EditorDocument } from './editor-change';
import type { DocumentPatch } from './editor-state';
import { boundedFrame, rounded } from './geometry/frames';

/** The paper of a document. */
export type PaperPatch = Pick<EditorDocument, 'format' | 'orientation' | 'customSize'>;

type Fit = { scale: number; left: number; top: number };

/** Limits of the page model for the lengths of elements that are scaled with their frames. */
const limits = {
  fontSize: [4, 400],
  padding: [0, 100],
  space: [0, 100],
  strokeWidth: [0, 50],
  radius: [0, 1000],
} as const;

type ScaledLength = (value: number, limits: readonly [number, number]) => number;

function fittedBlock(block: TextBlock, length: ScaledLength): TextBlock {
  const inRuns = (runs: TextRun[]) =>
    runs.map((run) => (run.size === undefined ? run : { ...run, size: length(run.size, limits.fontSize) }));
  const { spaceBefore, spaceAfter } = block;
  const space = {
    ...(spaceBefore !== undefined && { spaceBefore: length(spaceBefore, limits.space) }),
    ...(spaceAfter !== undefined && { spaceAfter: length(spaceAfter, limits.space) }),
  };
  return block.type === 'list'
    ? { ...block, ...space, items: block.items.map(inRuns) }
    : { ...block, ...space, runs: inRuns(block.runs) };
}

function fittedElement(element: PageElement, { scale, left, top }: Fit): PageElement {
  const { x, y, w, h, rotation } = element;
  const position = { x: x * scale + left, y: y * scale + top, w: w * scale, h: h * scale, rotation };
  const length: ScaledLength = (value, [min, max]) => Math.min(Math.max(rounded(value * scale), min), max);
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
 * Returns the changes that give a document another paper. With `scale`, the elements and guides of pages and masters are scaled
 * by one factor and centered on the new paper; otherwise they keep their positions and sizes.
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
  return { ...paper, masters: document.masters.map(fitted), pages: document.pages.map(fitted) };
}
