import { edgeWidth, markDistance, paperSize } from '@/lib/document/sheet-edge';
import type { SheetPlan, SheetSize } from '@/lib/document/sheets';
import type { PageBoxes } from './splice/page-boxes';
import { pdfNumber } from './splice/pdf-values';

const POINTS_PER_MM = 72 / 25.4;
const MEDIA_BOX = '/MediaBox [';
/** Decimal places to try for a box, best first. The new text must not be longer than the text that Chromium wrote. */
const PRECISIONS = [2, 1, 0];

const inPoints = (mm: number) => mm * POINTS_PER_MM;

/** Returns the boxes, in points, of the pages of a plan. */
export function pageBoxes(plan: Pick<SheetPlan, 'size' | 'edge'>): PageBoxes {
  const { edge } = plan;
  const paper = paperSize(plan);
  const room = edgeWidth(edge);
  return {
    width: inPoints(paper.width),
    height: inPoints(paper.height),
    bleed: inPoints(room - edge.bleed),
    trim: inPoints(room),
    markDistance: edge.cropMarks ? inPoints(markDistance(edge)) : 0,
  };
}

/**
 * Returns the paper size to print on for a document of this size. Chromium rounds paper sizes down to whole pixels,
 * which makes a sheet up to 0.26 mm too small. The document is therefore printed on larger paper and cropped afterward.
 */
export function printedPaper({ width, height }: SheetSize): SheetSize {
  return { width: width + 1, height: height + 1 };
}

/**
 * Crops the pages of a PDF that Chromium wrote. `width` and `height` are the new paper size in points. Works in place,
 * and changes no offset in the file.
 */
export function cutPages(pdf: Uint8Array, { width, height }: Pick<PageBoxes, 'width' | 'height'>): void {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  for (let at = bytes.indexOf(MEDIA_BOX); at >= 0; at = bytes.indexOf(MEDIA_BOX, at + 1)) {
    const [box, top] =
      /^\/MediaBox \[0 0 [\d.]+ ([\d.]+)\]/.exec(bytes.toString('latin1', at, at + 60)) ?? [];
    if (!box) continue;
    const corners = [0, Number(top) - height, width, Number(top)];
    const cuts = PRECISIONS.map((decimals) => {
      const numbers = corners.map((value) => pdfNumber(Number(value.toFixed(decimals))));
      return `/MediaBox[${numbers.join(' ')}]`;
    });
    const cut = cuts.find(({ length }) => length <= box.length);
    if (cut) bytes.write(cut.padEnd(box.length), at, 'latin1');
  }
}
