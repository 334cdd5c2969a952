import { PDFDocument } from '@cantoo/pdf-lib';
import { EMBEDDED_NAME } from '@/lib/document/embedded-name';

/** Returns a PDF with one empty page and an attached file. By default, the file is named like an embedded document. */
export async function pdfWith(content: string | Uint8Array, name = EMBEDDED_NAME): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.addPage();
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  await pdf.attach(bytes, name, { mimeType: 'application/json' });
  return pdf.save();
}

/** Returns the content of an embedded document with these pages. */
export function embedded(projectId: string, pages: object[], more: object = {}): string {
  return JSON.stringify({ atelier: 1, projectId, pages, images: [], ...more });
}
