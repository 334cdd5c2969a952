import { pdfNumber, pdfText } from './pdf-values';
import type { PdfWriter } from './pdf-writer';

/** An entry of a document's outline; `top` is in points from the lower edge of its page. */
export type OutlineEntry = { title: string; page: number; top: number; inner: OutlineEntry[] };

const countOf = (entries: OutlineEntry[]): number =>
  entries.reduce((sum, { inner }) => sum + 1 + countOf(inner), 0);

/**
 * Writes an expanded outline (ISO 32000-1, 12.3.3). `pages` contains the object numbers of the pages. Returns the
 * object number of the outline.
 */
export function writeOutline(writer: PdfWriter, entries: OutlineEntry[], pages: number[]): number {
  const root = writer.reserve();
  const writeLevel = (level: OutlineEntry[], parent: number): string => {
    const first = writer.reserveMany(level.length);
    const last = first + level.length - 1;
    for (const [index, { title, page, top, inner }] of level.entries()) {
      const number = first + index;
      const parts = [
        `/Title ${pdfText(title)}`,
        `/Parent ${parent} 0 R`,
        `/Dest [${pages[page]} 0 R /XYZ null ${pdfNumber(top)} null]`,
        index > 0 ? `/Prev ${number - 1} 0 R` : '',
        number < last ? `/Next ${number + 1} 0 R` : '',
        inner.length > 0 ? writeLevel(inner, number) : '',
      ];
      writer.value(number, `<<${parts.filter(Boolean).join(' ')}>>`);
    }
    return `/First ${first} 0 R /Last ${last} 0 R /Count ${countOf(level)}`;
  };
  writer.value(root, `<</Type /Outlines ${entries.length > 0 ? writeLevel(entries, root) : ''}>>`);
  return root;
}
