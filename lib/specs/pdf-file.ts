import type { FileHandle } from 'node:fs/promises';
import { HttpError } from '@/lib/http/problem';
import { openInReader } from './pdf/open-in-reader';
import { hasPlainPage } from './pdf/plain-page';

/** Readers accept what stands before the header as long as the header begins within this many bytes. */
const HEADER_WITHIN = 1024;

const refusals = {
  password: 'The PDF needs a password to be opened. Save it without a password and upload it again.',
  unknown_encryption:
    'The PDF is encrypted in a way that PDF readers do not know. Save it without encryption and upload it again.',
  no_page: 'The PDF has no page that can be read.',
  damaged: 'The PDF is damaged beyond repair. Save it again and upload it once more.',
  too_costly:
    'The PDF takes too much time or memory to open. Save it again with another program and upload that file.',
} as const;

/**
 * Checks that a PDF opens in a reader without a password and has a page. A file that is intact and not encrypted is
 * checked by following its own pointers; any other is opened by PDF.js, with bounded time and memory. `isProtected`
 * says that the file is encrypted under an owner password: it opens for everybody but may restrict printing or editing.
 * Throws `invalid_pdf` with the reason in words, and `unavailable` when PDF.js could not run.
 */
export async function checkPdf(file: FileHandle, size: number): Promise<{ isProtected: boolean }> {
  if (size === 0) throw new HttpError('invalid_pdf', 'The file is empty.');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_WITHIN), 0, HEADER_WITHIN, 0);
  if (!buffer.subarray(0, bytesRead).includes('%PDF-')) {
    throw new HttpError('invalid_pdf', 'The file is not a PDF.');
  }
  if (await hasPlainPage(file, size)) return { isProtected: false };
  const found = await openInReader(file.fd).catch((cause: unknown) => {
    throw new HttpError('unavailable', 'The PDF could not be checked just now.', { retryAfter: 30, cause });
  });
  if (found.outcome === 'open') return { isProtected: found.isProtected };
  throw new HttpError('invalid_pdf', refusals[found.outcome]);
}
