import type { Browser } from 'puppeteer-core';
import { registerPrint } from './browser-memory';
import { type PrintPage, takePrintPage } from './print-page';

const CLOSE_MS = 2_000;

/** Closes a page. If that takes longer than 2 seconds, the browser no longer responds and is killed. */
async function closeOrKill(opening: Promise<PrintPage>, kill: () => void): Promise<void> {
  const timer = setTimeout(kill, CLOSE_MS);
  await opening.then(({ context }) => context.close()).catch(() => undefined);
  clearTimeout(timer);
}

/**
 * Runs `work` with a page in its own browser context, which cannot run scripts or reach the network. `size` is the
 * length of the HTML that the page will hold. Throws the signal's reason, any error from `work`, `MemoryExceeded`,
 * `EndedForAnother`, or any error from the browser. When it throws, the page has been closed, and a browser that does
 * not respond has been killed.
 */
export async function inPrintPage<T>(
  browser: Browser,
  kill: () => void,
  { size, ...job }: { size: number; signal: AbortSignal },
  work: (opened: PrintPage) => Promise<T>,
): Promise<T> {
  const print = registerPrint(browser, job.signal, size);
  const signal = AbortSignal.any([job.signal, print.signal]);
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const opening = takePrintPage(browser);
  try {
    signal.throwIfAborted();
    const opened = await Promise.race([opening, aborted.promise]);
    const working = work(opened);
    working.catch(() => undefined);
    const result = await Promise.race([working, aborted.promise]);
    // The page is idle now, so there is no need to wait until it is closed.
    void opened.context.close().catch(() => undefined);
    return result;
  } catch (error) {
    await closeOrKill(opening, kill);
    // If the browser was killed because of its memory limit, `error` may only say that the browser was lost. Throw the
    // reason for the kill instead.
    throw print.signal.aborted ? print.signal.reason : error;
  } finally {
    print.end();
    signal.removeEventListener('abort', onAbort);
  }
}
