import type { FileHandle } from 'node:fs/promises';
import { HttpError } from '@/lib/http/problem';

const TAIL_BYTES = 2048;
/** How far a trailer may lie behind the start of its cross-reference table: 20 bytes for each of 400,000 objects. */
const MAX_XREF_BYTES = 8 * 1024 * 1024;

const refuse = (detail: string) => new HttpError('invalid_pdf', detail);

async function readAt(file: FileHandle, position: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.toString('latin1', 0, bytesRead);
}

/** The dictionary that says how the file is to be read: of the table's trailer, or of the cross-reference stream. */
async function readTrailer(file: FileHandle, xrefAt: number, size: number): Promise<string> {
  const start = await readAt(file, xrefAt, 64);
  if (/^\s*\d+\s+\d+\s+obj\b/.test(start)) {
    const head = await readAt(file, xrefAt, 64 * 1024);
    const end = head.search(/\bstream\r?\n/);
    return end < 0 ? head : head.slice(0, end);
  }
  if (!/^\s*xref\b/.test(start))
    throw refuse('The PDF is damaged: its table of contents is not where it says.');
  const table = await readAt(file, xrefAt, Math.min(MAX_XREF_BYTES, size - xrefAt));
  const trailer = table.indexOf('trailer');
  if (trailer < 0) throw refuse('The PDF is damaged: it has no trailer.');
  const end = table.indexOf('startxref', trailer);
  return table.slice(trailer, end < 0 ? undefined : end);
}

/**
 * Checks that a file is a whole, readable PDF: `%PDF-` at byte 0, `startxref … %%EOF` at the very end pointing at a
 * cross-reference section, and no encryption (ISO 32000-1, 7.5 and 7.6). Throws `invalid_pdf` in words.
 */
export async function checkPdf(file: FileHandle, size: number): Promise<void> {
  if (size === 0) throw refuse('The file is empty.');
  const head = await readAt(file, 0, 1024);
  if (!head.startsWith('%PDF-')) {
    throw refuse(
      head.includes('%PDF-') ? 'The file has something before the PDF begins.' : 'The file is not a PDF.',
    );
  }
  const tail = await readAt(file, Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
  const end = tail.lastIndexOf('%%EOF');
  if (end < 0) throw refuse('The PDF is cut off, or something was added behind its end.');
  if (tail.slice(end + 5).trim() !== '') throw refuse('The PDF has something behind its end.');
  const pointer = /startxref\s+(\d{1,12})\s*$/.exec(tail.slice(0, end));
  const xrefAt = Number(pointer?.[1] ?? Number.NaN);
  if (!(xrefAt > 0 && xrefAt < size))
    throw refuse('The PDF is damaged: it does not say where its contents lie.');
  if (/\/Encrypt\b/.test(await readTrailer(file, xrefAt, size))) {
    throw refuse('The PDF is encrypted. Save it without a password and upload it again.');
  }
}
