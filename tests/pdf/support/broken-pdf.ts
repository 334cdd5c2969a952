/** Truncates a PDF as an interrupted upload would. `keep` is the share of the bytes to keep. */
export function truncatePdf(pdf: Uint8Array, keep = 0.6): Uint8Array {
  return pdf.slice(0, Math.floor(pdf.length * keep));
}

/** Appends data after the `%%EOF` of a PDF, by default a page of HTML. */
export function pdfWithTail(
  pdf: Uint8Array,
  tail = `<html><script>${'x'.repeat(2048)}</script></html>`,
): Uint8Array {
  return Buffer.concat([pdf, Buffer.from(tail)]);
}

/** Files that are not valid PDFs, keyed by what they contain. Some look like PDFs. */
export const notPdf = {
  empty: new Uint8Array(),
  text: Buffer.from('This is the spec. Please find it attached.\n'),
  html: Buffer.from('<!doctype html><title>Sign in</title><p>Your session has ended.</p>\n'),
  png: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  zip: Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(60)]),
  headerOnly: Buffer.from('%PDF-1.7\n'),
  headerAndEndOnly: Buffer.from('%PDF-1.7\nstartxref\n0\n%%EOF\n'),
  emptyObject: Buffer.from('junk %PDF-1.7\n1 0 obj\n<<>>\nendobj\nstartxref\n0\n%%EOF\n'),
} satisfies Record<string, Uint8Array>;
