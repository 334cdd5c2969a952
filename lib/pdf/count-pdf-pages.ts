/**
 * Returns the number of pages of a PDF, or null if the PDF does not have the form that Chromium writes. In that form,
 * the cross-reference table is plain, and the root of the page tree holds the count.
 */
export function countPdfPages(pdf: Uint8Array): number | null {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  const at = (start: number, length = 400) => bytes.toString('latin1', start, start + length);
  const tableAt = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(at(Math.max(0, bytes.length - 64), 64))?.[1]);
  const table = /^xref\s+0 (\d+)\s*\n/.exec(at(tableAt));
  if (!table) return null;
  const entriesAt = tableAt + table[0].length;
  // Each cross-reference entry is 20 bytes long.
  const object = (ref: string | undefined) =>
    ref === undefined ? '' : at(Number(at(entriesAt + Number(ref) * 20, 10)), 4000).split('endobj')[0];
  const trailer = at(entriesAt + Number(table[1]) * 20);
  const root = object(/\/Root (\d+) 0 R/.exec(trailer)?.[1]);
  const pages = object(/\/Pages (\d+) 0 R/.exec(root ?? '')?.[1]);
  const count = /\/Count (\d+)/.exec(pages ?? '')?.[1];
  return count === undefined ? null : Number(count);
}
