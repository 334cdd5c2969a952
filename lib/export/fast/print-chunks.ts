import type { Browser } from 'puppeteer-core';
import type { Sheet } from '../document/sheets';
import { type Printed, printHtml } from '../print-html';
import { slots } from '../slots';

/** Two keep two cores busy, however many exports there are. */
const TABS = 2;
const tabs = slots(TABS);

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
): Promise<Printed[]> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const print = async (sheets: Sheet[]) => {
    either.throwIfAborted();
    const job = { html: await html(sheets), image: async () => null, outline: false, signal: either };
    const printed = await printHtml(browser, kill, job);
    onPrinted(sheets);
    return printed;
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
