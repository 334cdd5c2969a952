import type { Browser } from 'puppeteer-core';
import type { Sheet } from '../document/sheets';
import { readPart, type SplicePart } from '../pdf/splice-pdfs';
import { type Printed, printHtml } from '../print-html';
import { slots } from '../slots';

/** Two keep two cores busy, however many exports there are. */
const TABS = 2;
const tabs = slots(TABS);

export type PrintedChunk = Pick<Printed, 'overflows'> & { part: SplicePart };

/**
 * Prints parts of a document, two at a time, each in a context of its own; other exports of this process get their turn
 * between them. When one fails, the others are ended and its error is thrown.
 */
export async function printChunks(
  browser: Browser,
  kill: () => void,
  chunks: Sheet[][],
  {
    html,
    onPrinted,
    signal,
  }: {
    html: (sheets: Sheet[]) => Promise<string>;
    onPrinted: (sheets: Sheet[]) => void;
    signal: AbortSignal;
  },
): Promise<PrintedChunk[]> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const print = async (sheets: Sheet[]) => {
    either.throwIfAborted();
    const job = { html: await html(sheets), signal: either };
    const { pdf, overflows } = await printHtml(browser, kill, job);
    // While others are printed, there is time to take it apart.
    const part = await readPart(pdf);
    onPrinted(sheets);
    return { part, overflows };
  };
  const own = slots(TABS);
  const printing = chunks.map((sheets) => {
    const work = own(() => tabs(() => print(sheets)));
    work.catch((error: unknown) => failed.abort(error));
    return work;
  });
  // Nothing may still be printing when the caller goes on.
  await Promise.allSettled(printing);
  signal.throwIfAborted();
  if (failed.signal.aborted) throw failed.signal.reason;
  return Promise.all(printing);
}
