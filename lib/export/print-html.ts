import type { Browser, CDPSession, HTTPRequest, Page } from 'puppeteer-core';
import { notePrint } from './browser-memory';
import type { PrintImage } from './print-image';
import { type PrintPage, takePrintPage } from './print-page';

/** Images of a printed document have addresses below this, which no name server knows. */
export const IMAGE_ORIGIN = 'https://images.invalid/';
const CLOSE_MS = 2_000;

export type PrintJob = {
  html: string;
  /**
   * Gives the bytes of an image by what follows `IMAGE_ORIGIN`; null for one that is gone. Left out for a part of a
   * document, which gets its images and an outline only when it is joined with the others.
   */
  image?: (name: string) => Promise<PrintImage | null>;
  /** Ends the printing at once. The parts of one document have the same. */
  signal: AbortSignal;
};
export type Printed = {
  pdf: Uint8Array;
  /** Elements whose content does not fit their frame. */
  overflows: { pageId: string; elementId: string }[];
};

// As text: a compiled function would bring helpers along that the page does not know.
const findOverflows = `[...document.querySelectorAll('[data-measured]')]
  .filter((box) => box.scrollHeight - box.clientHeight > 1 || box.scrollWidth - box.clientWidth > 1)
  .map((box) => ({ pageId: box.closest('[data-page]').dataset.page, elementId: box.dataset.measured }))`;

async function answerRequest(request: HTTPRequest, image: PrintJob['image']): Promise<void> {
  const url = request.url();
  const found = url.startsWith(IMAGE_ORIGIN) ? await image?.(url.slice(IMAGE_ORIGIN.length)) : null;
  if (!found) return request.abort();
  await request.respond({ status: 200, contentType: found.contentType, body: found.body });
}

function printWhole(page: Page): Promise<Uint8Array> {
  const look = { preferCSSPageSize: true, printBackground: true, tagged: true, outline: true };
  return page.pdf({ ...look, waitForFonts: false, timeout: 0 });
}

/** Without images it is small, and comes in one answer; the whole comes through a file, in four. */
async function printPart(session: CDPSession): Promise<Uint8Array> {
  const look = { preferCSSPageSize: true, printBackground: true, generateTaggedPDF: true };
  const { data } = await session.send('Page.printToPDF', { ...look, transferMode: 'ReturnAsBase64' });
  return Buffer.from(data, 'base64');
}

async function printIn({ page, session }: PrintPage, { html, image }: PrintJob): Promise<Printed> {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  page.on('request', (request) => void answerRequest(request, image).catch(failed.reject));
  // The deadline is the caller's: a timeout of this call would leave the renderer at work.
  const work = async () => {
    await page.setContent(html, { waitUntil: 'load', timeout: 0 });
    const overflows = (await page.evaluate(findOverflows)) as Printed['overflows'];
    const pdf = await (image ? printWhole(page) : printPart(session));
    return { pdf, overflows };
  };
  return Promise.race([work(), failed.promise]);
}

/** A page that is not there and closed within 2 seconds has a browser that hears nothing any more. */
async function closeOrKill(opening: Promise<PrintPage>, kill: () => void): Promise<void> {
  const timer = setTimeout(kill, CLOSE_MS);
  await opening.then(({ context }) => context.close()).catch(() => undefined);
  clearTimeout(timer);
}

/**
 * Prints a page in a context of its own, in which no script runs and no request leaves: what it shows comes in `html`
 * and through `image`. Throws the signal's reason, whatever `image` throws, the browser's error when it is lost, or what
 * `boundMemory` ends it with; then nothing is still at work, and a browser that cannot say so has been killed.
 */
export async function printHtml(browser: Browser, kill: () => void, job: PrintJob): Promise<Printed> {
  const print = notePrint(browser, job.signal, job.html.length);
  const signal = AbortSignal.any([job.signal, print.signal]);
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const opening = takePrintPage(browser);
  try {
    signal.throwIfAborted();
    const opened = await Promise.race([opening, aborted.promise]);
    const printing = printIn(opened, job);
    printing.catch(() => undefined);
    const printed = await Promise.race([printing, aborted.promise]);
    // It is idle now, and nobody needs to wait until it is gone.
    void opened.context.close().catch(() => undefined);
    return printed;
  } catch (error) {
    await closeOrKill(opening, kill);
    // A browser that was ended on purpose is also lost; the purpose says more.
    throw print.signal.aborted ? print.signal.reason : error;
  } finally {
    print.end();
    signal.removeEventListener('abort', onAbort);
  }
}
