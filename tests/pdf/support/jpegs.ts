import { type PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib';

export function jpegsOf(document: PDFDocument): Buffer[] {
  return document.context
    .enumerateIndirectObjects()
    .flatMap(([, value]) =>
      value instanceof PDFRawStream && value.dict.get(PDFName.of('Filter')) === PDFName.of('DCTDecode')
        ? [Buffer.from(value.getContents())]
        : [],
    );
}
