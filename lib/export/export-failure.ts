import { ProtocolError } from 'puppeteer-core';
import type { WorkOutcome } from '@/lib/queue/work';
import { MemoryExceeded } from './browser-memory';
import { StartFailure } from './chromium/start-process';

/** What becomes of an export that was not done in time. */
export function tooLate(deadlineMs: number): WorkOutcome {
  const words = `The document could not be printed within ${deadlineMs / 60_000} minutes.`;
  // Perhaps the browser hung: another one may do it.
  return { type: 'failed', code: 'timeout', error: words, retryable: true };
}

/** What becomes of an export after an error of the browser that prints it. Throws any other error again. */
export function exportFailure(error: unknown): WorkOutcome {
  if (error instanceof MemoryExceeded) {
    const mb = Math.round(error.maxBytes / 1024 / 1024);
    const words = `Printing the document needs more than the ${mb} MB of memory that it may take. Export fewer pages at a time, or shorten its tables and texts.`;
    return { type: 'failed', code: 'too_large', error: words, retryable: !error.isAlone };
  }
  if (error instanceof StartFailure) {
    const words = 'The browser that prints could not be started.';
    return { type: 'failed', code: 'browser_unavailable', error: words, retryable: true };
  }
  if (error instanceof ProtocolError) {
    const words = 'The browser that prints was lost before the PDF was done.';
    return { type: 'failed', code: 'browser_lost', error: words, retryable: true };
  }
  throw error;
}
