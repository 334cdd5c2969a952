import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { fontStack } from './document/font-families';

/** A page in a context of its own, in which no script runs and whose requests wait to be answered. */
export type PrintPage = { context: BrowserContext; page: Page };

// Its renderer takes longer to start than a page to print. So one is always ready; it is used once.
const spares = new WeakMap<Browser, Promise<PrintPage>>();

const PAUSE_MS = 50;

// A renderer reads its fonts with the first character that needs them.
const WARM_UP = `<!doctype html><p lang="zh" style="font-family: ${fontStack()}">a<b>b</b>\u6728\u{1f33f}`;

async function openPage(browser: Browser, html?: string): Promise<PrintPage> {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await Promise.all([
      page.setJavaScriptEnabled(false),
      page.emulateMediaType('print'),
      page.setRequestInterception(true),
    ]);
    if (html) await page.setContent(html);
    return { context, page };
  } catch (error) {
    await context.close().catch(() => undefined);
    throw error;
  }
}

/** A page that nobody has used. The caller closes its context. */
export async function takePrintPage(browser: Browser): Promise<PrintPage> {
  const opening = spares.get(browser);
  spares.delete(browser);
  const spare = await opening?.catch(() => undefined);
  return spare && !spare.page.isClosed() ? spare : openPage(browser);
}

/** Makes a page ready for the next one who asks, once the PDF that was just printed has had time to be put together. */
export function prepareSpare(browser: Browser): void {
  const prepare = () => {
    if (spares.has(browser) || !browser.connected) return;
    const opening = openPage(browser, WARM_UP);
    opening.catch(() => undefined);
    spares.set(browser, opening);
  };
  setTimeout(prepare, PAUSE_MS).unref();
}
