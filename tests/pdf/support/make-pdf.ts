import { randomFillSync, randomUUID } from 'node:crypto';
import { PDFDocument, type PDFFont, type PDFPage, PDFString, StandardFonts } from '@cantoo/pdf-lib';
import { addOutline } from '@/tests/pdf/support/add-outline';
import { linearizePdf } from '@/tests/pdf/support/linearize-pdf';

export type PdfOptions = {
  /** Number of sections, one page each; 0 makes one page of running text. */
  sections: number;
  /** Whether to add bookmarks for the sections. Default true. */
  outline?: boolean;
  /** Whether to print each section's name on its page, in larger type. Default true. */
  headings?: boolean;
  /** Target size in bytes. A smaller PDF is padded to within a few hundred bytes of it. A larger PDF is not changed. */
  bytes?: number;
  /** Metadata title, also printed in the largest type on the first page. */
  title?: string;
  /** A line of text for each section, instead of the usual text. */
  texts?: string[];
  /** How the cross-references are written. Default 'stream', which most programs use. */
  layout?: 'table' | 'stream' | 'linearized';
};

const BODY = 'The finish is matt and the colour is as in the sample that was approved.';
const PADDING_OVERHEAD = 200;

/**
 * Makes a valid PDF with a random subject. No two such PDFs are identical, so the uploads of a test never count as the
 * same file.
 */
export async function makePdf(options: PdfOptions): Promise<Uint8Array> {
  const bare = await buildDocument(options);
  const small = await saveDocument(bare, options.layout);
  const missing = (options.bytes ?? 0) - small.length - PADDING_OVERHEAD;
  if (missing <= 0) return small;
  const padded = await buildDocument(options);
  addPadding(padded, missing);
  return saveDocument(padded, options.layout);
}

/** Makes a valid PDF that opens only with the user password `open sesame` or the owner password `sesame owner`. */
export async function makeEncryptedPdf(options: PdfOptions = { sections: 2 }): Promise<Uint8Array> {
  const document = await buildDocument(options);
  document.encrypt({ userPassword: 'open sesame', ownerPassword: 'sesame owner' });
  return saveDocument(document, options.layout);
}

export const encryptions = ['RC4-40', 'RC4-128', 'AES-128', 'AES-256'] as const;

/** Makes a valid PDF that opens without a password but is encrypted and forbids printing. */
export async function makeProtectedPdf(
  algorithm: (typeof encryptions)[number] = 'AES-256',
  options: PdfOptions = { sections: 2 },
): Promise<Uint8Array> {
  const document = await buildDocument(options);
  document.encrypt({
    ownerPassword: 'sesame owner',
    permissions: { printing: false },
    algorithm,
    allowWeakCryptography: true,
  });
  return saveDocument(document, options.layout);
}

async function buildDocument(options: PdfOptions): Promise<PDFDocument> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  if (options.title) document.setTitle(options.title);
  document.setSubject(randomUUID());
  const pages = Array.from({ length: Math.max(options.sections, 1) }, () => document.addPage());
  const names = Array.from({ length: options.sections }, (_, index) => `Section ${index + 1}`);
  pages.forEach((page, index) => {
    const heading = options.headings === false ? undefined : names[index];
    drawPage(page, font, index === 0 ? options.title : undefined, heading, options.texts?.[index]);
  });
  if (options.outline !== false && names.length > 0) addOutline(document, pages, names);
  return document;
}

function drawPage(page: PDFPage, font: PDFFont, title?: string, heading?: string, text?: string): void {
  if (title) page.drawText(title, { x: 50, y: 780, size: 28, font });
  if (heading) page.drawText(heading, { x: 50, y: 720, size: 18, font });
  if (text) {
    page.drawText(text, { x: 50, y: 680, size: 11, font });
    return;
  }
  for (let line = 0; line < 12; line += 1) {
    page.drawText(BODY, { x: 50, y: 680 - line * 16, size: 11, font });
  }
}

function addPadding(document: PDFDocument, size: number): void {
  const { context } = document;
  const stream = context.stream(randomFillSync(new Uint8Array(size)), { Type: 'EmbeddedFile' });
  const file = context.obj({
    Type: 'Filespec',
    F: PDFString.of('padding.bin'),
    EF: { F: context.register(stream) },
  });
  // Readers ignore this private application data, even though the catalog refers to it.
  document.catalog.set(context.obj('AtelierPadding'), context.register(file));
}

async function saveDocument(
  document: PDFDocument,
  layout: PdfOptions['layout'] = 'stream',
): Promise<Uint8Array> {
  const saved = await document.save({ useObjectStreams: layout === 'stream' });
  return layout === 'linearized' ? linearizePdf(saved) : saved;
}
