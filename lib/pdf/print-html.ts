import type { Browser, CDPSession, HTTPRequest, Page } from 'puppeteer-core';
import { inPrintPage } from './in-print-page';
import type { PrintImage } from './print-image';
import type { PrintPage } from './print-page';

/** Prefix of the image URLs in a printed document; its host never resolves. */
export const IMAGE_ORIGIN = 'https://images.invalid/';

export type PrintJob = {
  html: string;
  /**
   * Returns the image whose URL is `IMAGE_ORIGIN` plus `name`, or null when it is missing. Omit `image` to print a part
   * of a document, without images and without an outline. Joining the parts adds both.
   */
  image?: (name: string) => Promise<PrintImage | null>;
  /** Stops the printing immediately. All parts of a document share one signal, which also identifies the document. */
  signal: AbortSignal;
};
export type PrintProblems = {
  /** Elements whose content does not fit their frame; both ids are null for the text on the cover. */
  overflows: { pageId: string | null; elementId: string | null }[];
  /** CSS names of the fonts that have a file that the browser needs but refuses. */
  refusedFonts: string[];
};
export type Printed = PrintProblems & { pdf: Uint8Array };

// The script is a string, because a compiled function would refer to helpers that do not exist on the page. Reading the
// height forces a layout, which starts the decoding of embedded fonts.
const findProblems = `void document.body.offsetHeight, document.fonts.ready.then((fonts) => ({
  overflows: [...document.querySelectorAll('[data-measured]')]
    .filter((box) => box.scrollHeight - box.clientHeight > 1 || box.scrollWidth - box.clientWidth > 1)
    .map((box) => ({ pageId: box.closest('[data-page]')?.dataset.page ?? null, elementId: box.dataset.measured || null })),
  refusedFonts: [...fonts].filter(({ status }) => status === 'error').map(({ family }) => family),
}))`;

async function answerRequest(request: HTTPRequest, image: PrintJob['image']): Promise<void> {
  const url = request.url();
  const found = url.startsWith(IMAGE_ORIGIN) ? await image?.(url.slice(IMAGE_ORIGIN.length)) : null;
  if (!found) return request.abort();
  await request.respond({ status: 200, contentType: found.contentType, body: found.body });
}

function printAtOnce(page: Page): Promise<Uint8Array> {
  const look = { preferCSSPageSize: true, printBackground: true, tagged: true, outline: true };
  return page.pdf({ ...look, waitForFonts: false, timeout: 0 });
}

/** Prints a part in a single response, which is small enough because the part has placeholders for its images. */
async function printPart(session: CDPSession): Promise<Uint8Array> {
  const look = { preferCSSPageSize: true, printBackground: true, generateTaggedPDF: true };
  const { data } = await session.send('Page.printToPDF', { ...look, transferMode: 'ReturnAsBase64' });
  return Buffer.from(data, 'base64');
}

async function printIn({ page, session }: PrintPage, { html, image }: PrintJob): Promise<Printed> {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  page.on('request', (request) => void answerRequest(request, image).catch(failed.reject));
  // No timeouts here, because the job's signal sets the deadline.
  const work = async () => {
    await page.setContent(html, { waitUntil: 'load', timeout: 0 });
    const problems = (await page.evaluate(findProblems)) as PrintProblems;
    const pdf = await (image ? printAtOnce(page) : printPart(session));
    return { pdf, ...problems };
  };
  return Promise.race([work(), failed.promise]);
}

/**
 * Prints an HTML document in its own browser context. The document cannot run scripts or reach the network, so
 * everything comes from `html` and `image`. Throws the signal's reason, any error from `image`, `MemoryExceeded`,
 * `EndedForAnother`, or any error from the browser. When it throws, the page has been closed, and a browser that does
 * not respond has been killed.
 */
export function printHtml(browser: Browser, kill: () => void, job: PrintJob): Promise<Printed> {
  const { html, signal } = job;
  return inPrintPage(browser, kill, { size: html.length, signal }, (opened) => printIn(opened, job));
}
