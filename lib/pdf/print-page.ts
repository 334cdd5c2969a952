import type { Browser, BrowserContext, CDPSession, Page } from 'puppeteer-core';
import { fontStack } from '@/lib/document/font-families';
import { sharedValue } from '@/lib/process/shared-value';

/** A page in its own browser context, without scripts, whose requests are intercepted. */
export type PrintPage = { context: BrowserContext; page: Page; session: CDPSession };

// Starting a renderer takes longer than printing a page, so a spare page is prepared whenever a browser becomes idle.
// Each page is used only once.
const spares = sharedValue('spare-pages', () => new WeakMap<Browser, Promise<PrintPage>>());

const PAUSE_MS = 50;

// A renderer loads a font once per size, when a character first needs that size. A spare page renders `WARM_UP`, so the
// default sizes of text and headings are loaded before the page gets a document to print.
const SIZES_PT = [8, 9, 11, 12.1, 14.3, 17.6];
const WORDS = 'a <b>b</b> \u6728 \u{1f33f}';
const PARAGRAPHS = SIZES_PT.map((size) => `<p lang="zh" style="font-size: ${size}pt">${WORDS}`);
const WARM_UP = `<!doctype html><body style="font-family: ${fontStack()}">${PARAGRAPHS.join('')}`;

async function openPage(browser: Browser, html?: string): Promise<PrintPage> {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    const [session] = await Promise.all([
      page.createCDPSession(),
      page.emulateMediaType('print'),
      // The page is never shown, and painting it would be wasted work, so the viewport is tiny.
      page.setViewport({ width: 8, height: 8 }),
      page.setJavaScriptEnabled(false),
      page.setRequestInterception(true),
    ]);
    if (html) await page.setContent(html);
    return { context, page, session };
  } catch (error) {
    await context.close().catch(() => undefined);
    throw error;
  }
}

/** Returns an unused page. The caller closes its context. */
export async function takePrintPage(browser: Browser): Promise<PrintPage> {
  const opening = spares.get(browser);
  spares.delete(browser);
  const spare = await opening?.catch(() => undefined);
  return spare && !spare.page.isClosed() ? spare : openPage(browser);
}

/**
 * Prepares a page for the next print. Pauses first for `PAUSE_MS`, so that the parts of the PDF that was just printed
 * can be joined in the meantime.
 */
export function prepareSpare(browser: Browser): void {
  const prepare = () => {
    if (spares.has(browser) || !browser.connected) return;
    const opening = openPage(browser, WARM_UP);
    opening.catch(() => undefined);
    spares.set(browser, opening);
  };
  setTimeout(prepare, PAUSE_MS).unref();
}
