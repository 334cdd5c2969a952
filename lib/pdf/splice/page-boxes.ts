import { pdfNumber } from './pdf-values';

/** The boxes of a page (ISO 32000-1, 14.11.2) in points. */
export type PageBoxes = {
  // The size of the paper.
  width: number;
  height: number;
  /** The distance from the edge of the paper to the bleed. */
  bleed: number;
  /** The distance from the edge of the paper to the trimmed page. */
  trim: number;
  /** The distance of crop marks from the trimmed page; 0 for no marks. */
  markDistance: number;
};

/** Returns the dictionary entries for a page's boxes. A page that is not trimmed has only a media box. */
export function boxEntries({ width, height, bleed, trim }: PageBoxes): string {
  const box = (inset: number) => [inset, inset, width - inset, height - inset].map(pdfNumber).join(' ');
  const media = `/MediaBox [${box(0)}]`;
  return trim === 0 ? media : `${media}\n/BleedBox [${box(bleed)}]\n/TrimBox [${box(trim)}]`;
}
