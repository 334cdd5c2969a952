import { ProtocolError } from 'puppeteer-core';
import { isDiskFull } from '@/lib/errors/error-parts';
import { isHttpError } from '@/lib/errors/problem';
import { MemoryExceeded } from '@/lib/pdf/browser-memory';
import { ImagesTooLarge } from '@/lib/pdf/printed-images';
import type { WorkOutcome } from '@/lib/queue/work';

/** Returns the outcome of an export that exceeded its deadline. */
export function deadlineOutcome(deadlineMs: number): WorkOutcome {
  const message = `The document could not be printed within ${deadlineMs / 60_000} minutes.`;
  // The browser may have hung, so a retry can succeed.
  return { type: 'failed', code: 'timeout', error: message, retryable: true };
}

const SMALLER =
  'Choose screen quality, or export fewer pages at a time. An administrator can raise the limit in the storage settings: the global one, and that of the bucket “exports”.';

/**
 * Returns the outcome of an export that failed because of the browser, its memory limit, a full disk, or the size of
 * the images or the PDF. Rethrows any other error.
 */
export function exportFailure(error: unknown): WorkOutcome {
  if (error instanceof MemoryExceeded) {
    const mb = Math.round(error.maxBytes / 1024 / 1024);
    const message = `Printing the document needs more than the limit of ${mb} MB of memory. Export fewer pages at a time, or shorten its tables and texts.`;
    return { type: 'failed', code: 'too_large', error: message, retryable: !error.isAlone };
  }
  if (error instanceof ImagesTooLarge) {
    const mb = (error.maxBytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1 });
    const message = `The images of the document are larger than the ${mb} MB that file storage accepts for a PDF. ${SMALLER}`;
    return { type: 'failed', code: 'too_large', error: message, retryable: false };
  }
  if (isHttpError(error) && error.code === 'too_large') {
    const message = `The PDF is larger than file storage accepts. ${SMALLER}`;
    return { type: 'failed', code: 'too_large', error: message, retryable: false };
  }
  // A full disk can also keep the browser from starting.
  if (isDiskFull(error)) {
    const message =
      'There is not enough disk space on the server for the export. Try again after an administrator has freed some space.';
    return { type: 'failed', code: 'disk_full', error: message, retryable: true };
  }
  // Each bundle has its own copy of the class `BrowserStartError`, and the browser may have been started by another.
  if (error instanceof Error && error.name === 'BrowserStartError') {
    const message = 'The browser for printing could not be started.';
    return { type: 'failed', code: 'browser_unavailable', error: message, retryable: true };
  }
  if (error instanceof ProtocolError) {
    const message = 'The browser for printing was lost before the PDF was complete.';
    return { type: 'failed', code: 'browser_lost', error: message, retryable: true };
  }
  throw error;
}
