// The program that `readAttachment` runs in a separate process. It uses PDF.js to read the Atelier document that is
// embedded in a PDF. It reads the PDF from descriptor 3, and writes a line of JSON with the outcome to stdout, followed
// by the content of the document if there is one. Node runs this file directly, so imports of the project's modules
// need file extensions.
import { writeSync } from 'node:fs';
import { EMBEDDED_NAME } from '../../document/embedded-name.ts';
import { fileOf, openPdf, type ReadFile } from './open-pdf.ts';

/** The maximum size of the embedded file, in bytes. */
const MAX_BYTES = 24 * 1024 * 1024;

type Found = { outcome: 'found'; content: Uint8Array } | { outcome: 'none' | 'unreadable' | 'too_large' };

/**
 * Returns whether an error means that memory or the call stack ran out. PDF.js wraps such errors and keeps only their
 * message.
 */
function isExhausted(error: unknown): boolean {
  return error instanceof RangeError || /allocation failed|array length|call stack/i.test(String(error));
}

/**
 * Reads the Atelier document that is embedded in a PDF. Other embedded files are not decoded. A hostile PDF can take
 * any amount of time and memory, so the caller must limit both.
 */
export async function attachmentOf(readFile: ReadFile): Promise<Found> {
  try {
    const document = await openPdf(readFile);
    const files = await document.getAttachments();
    if (!files?.has(EMBEDDED_NAME)) return { outcome: 'none' };
    const content: unknown = await document.getAttachmentContent(EMBEDDED_NAME);
    if (!(content instanceof Uint8Array)) return { outcome: 'unreadable' };
    return content.length > MAX_BYTES ? { outcome: 'too_large' } : { outcome: 'found', content };
  } catch (error) {
    return { outcome: isExhausted(error) ? 'too_large' : 'unreadable' };
  }
}

function writeAll(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes, written);
}

if (import.meta.main) {
  const found = await attachmentOf(fileOf(3));
  writeAll(Buffer.from(`${JSON.stringify({ outcome: found.outcome })}\n`));
  if (found.outcome === 'found') writeAll(found.content);
  process.exit(0);
}
