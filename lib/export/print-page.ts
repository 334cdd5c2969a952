import type { Browser, BrowserContext, CDPSession, Page } from 'puppeteer-core';
import { fontStack } from './document/font-families';

/** A page in a context of its own, in which no script runs and whose requests wait to be answered. */
export type PrintPage = { context: BrowserContext; page: Page; session: CDPSession };

// Its renderer takes longer to start than a page to print. So one is always ready; it is used once.
const spares = new WeakMap<Browser, Promise<PrintPage>>();

const PAUSE_MS = 50;

// A renderer reads a font at each size with the first character that needs it: in the sizes that texts have unless they
// are changed, and in those of their headings, that is done before it gets a document.
const SIZES_PT = [8, 9, 11, 14.4, 17.6];
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
      // Nobody looks at it, so almost nothing of it needs to be painted before it is printed.
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
