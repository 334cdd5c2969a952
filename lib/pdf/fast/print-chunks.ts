import type { Browser } from 'puppeteer-core';
import type { Sheet } from '@/lib/document/sheets';
import { concurrencyLimit } from '@/lib/process/fair-queue';
import { type PrintProblems, printHtml } from '../print-html';
import type { PageLook } from '../splice/refine-part';
import { readPart, type SplicePart } from '../splice/splice-pdfs';

/** The maximum number of parts that this process prints at once, across all exports. Two parts keep two cores busy. */
const TABS = 2;
const tabs = concurrencyLimit(TABS);

export type PrintedChunk = PrintProblems & { part: SplicePart };

/**
 * Prints the parts of a document, each in its own browser context. All exports of this process together print at most
 * two parts at a time. When one part fails, stops the others and throws that part's error.
 */
export async function printChunks(
  browser: Browser,
  kill: () => void,
  chunks: Sheet[][],
  {
    html,
    look,
    onPrinted,
    signal,
  }: {
    html: (sheets: Sheet[]) => Promise<string>;
    look: PageLook;
    onPrinted: (sheets: Sheet[]) => void;
    signal: AbortSignal;
  },
): Promise<PrintedChunk[]> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const print = async (sheets: Sheet[]) => {
    either.throwIfAborted();
    const job = { html: await html(sheets), signal: either };
    const { pdf, ...problems } = await printHtml(browser, kill, job);
    // Parsing the part here overlaps with the printing of other parts.
    const part = await readPart(pdf, look);
    onPrinted(sheets);
    return { part, ...problems };
  };
  const own = concurrencyLimit(TABS);
  const printing = chunks.map((sheets) => {
    const work = own(() => tabs(() => print(sheets)));
    work.catch((error: unknown) => failed.abort(error));
    return work;
  });
  // Wait for all parts, so that no part is still being printed when `printChunks` returns or throws.
  await Promise.allSettled(printing);
  signal.throwIfAborted();
  if (failed.signal.aborted) throw failed.signal.reason;
  return Promise.all(printing);
}
