import type { FileHandle } from 'node:fs/promises';
import { HttpError } from '@/lib/errors/problem';
import { openInReader } from './pdf/open-in-reader';

/** The PDF header must be within this many bytes from the start. PDF readers accept other bytes before the header. */
const MAX_HEADER_OFFSET = 1024;

const refusals = {
  password: 'The PDF needs a password. Save it without a password and upload it again.',
  unknown_encryption:
    'The PDF uses an encryption that PDF readers do not support. Save it without encryption and upload it again.',
  no_page: 'The PDF has no page that can be displayed.',
  damaged: 'The PDF is damaged beyond repair. Save it again and upload the new file.',
  too_costly:
    'The PDF takes too much time or memory to open. Save it again with another program and upload that file.',
} as const;

/**
 * Checks that PDF.js opens a file without a password, with bounded time and memory, and finds a page. `isProtected`
 * means that the file is encrypted with an owner password. Such a file opens for everyone but may restrict printing or
 * editing. Throws `invalid_pdf` with the reason, or `unavailable` if PDF.js fails for a reason other than the file.
 */
export async function checkPdf(file: FileHandle, size: number): Promise<{ isProtected: boolean }> {
  if (size === 0) throw new HttpError('invalid_pdf', 'The file is empty.');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HEADER_OFFSET), 0, MAX_HEADER_OFFSET, 0);
  if (!buffer.subarray(0, bytesRead).includes('%PDF-')) {
    throw new HttpError('invalid_pdf', 'The file is not a PDF.');
  }
  const found = await openInReader(file.fd).catch((cause: unknown) => {
    throw new HttpError('unavailable', 'The PDF cannot be checked right now.', { retryAfter: 30, cause });
  });
  if (found.outcome === 'open') return { isProtected: found.isProtected };
  throw new HttpError('invalid_pdf', refusals[found.outcome]);
}
