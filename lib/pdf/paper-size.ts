import type { SheetSize } from '@/lib/document/sheets';
import { pdfNumber } from './splice/pdf-values';

const POINTS_PER_MM = 72 / 25.4;
const MEDIA_BOX = '/MediaBox [';
/** The precisions of a box in decimals, best first: it has to fit into the place of the box that Chromium wrote. */
const PRECISIONS = [2, 1, 0];

/** Converts millimeters to points. */
export function inPoints({ width, height }: SheetSize): SheetSize {
  return { width: width * POINTS_PER_MM, height: height * POINTS_PER_MM };
}

/**
 * Returns the paper on which to print sheets of a size. Chromium rounds paper down to whole pixels, which makes it up
 * to a third of a millimeter smaller than A4, so it prints on larger paper, which is cut to size afterwards.
 */
export function printedPaper({ width, height }: SheetSize): SheetSize {
  return { width: width + 1, height: height + 1 };
}

/**
 * Crops the pages of a PDF from Chromium to the size of the sheets. Works in place, so offsets in the file stay the
 * same.
 */
export function cutPages(pdf: Uint8Array, size: SheetSize): void {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  const { width, height } = inPoints(size);
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
