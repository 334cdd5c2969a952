import { join } from 'node:path';
import type { BrowserContext, ConsoleMessage, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { launchChromium } from '@/lib/export/chromium/launch';
import type { LaunchedChromium } from '@/lib/export/chromium/start-process';
import { makeDataDir } from '@/tests/setup/temporary-dir';

export type Size = { width: number; height: number };
export const desktop: Size = { width: 1280, height: 860 };
export const phone: Size = { width: 360, height: 740 };

// Unpacked once a checkout rather than once a run.
const cache = join(import.meta.dirname, '../../node_modules/.cache/atelier');

function toText(message: ConsoleMessage): string {
  const { url } = message.location();
  return `${message.text()}${url ? ` (${url})` : ''}`;
}

// As text: what runs in the page knows none of our modules.
const tellViolations = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy: ' + event.effectiveDirective + ' forbids ' + (event.blockedURI || 'inline code')
    + ' at ' + event.sourceFile + ':' + event.lineNumber))`;

/**
 * One browser for the tests of a file. Whatever a page writes to its console as an error, or throws, or does against its
 * Content-Security-Policy, fails the test that opened it, but for what the test said that it expects.
 */
export function openBrowser() {
  const { url } = inject('atelier');
  const expected: RegExp[] = [];
  const errors: string[] = [];
  const contexts: BrowserContext[] = [];
  let profile: Awaited<ReturnType<typeof makeDataDir>>;
  let chromium: LaunchedChromium;

  beforeAll(async () => {
    profile = await makeDataDir();
    chromium = await launchChromium({
      executable: process.env.CHROMIUM_PATH || undefined,
      dataDir: cache,
      network: 'loopback',
      userDataDir: join(profile.path, 'profile'),
      log: { warn: (...said: unknown[]) => console.warn(...said) },
    });
  });
  afterAll(async () => {
    await chromium?.close();
    await profile?.remove();
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    const found = errors.splice(0).filter((text) => !expected.some((pattern) => pattern.test(text)));
    expected.length = 0;
    if (found.length > 0) throw new Error(`The page complained:\n${found.join('\n')}`);
  });

  async function newPage(context: BrowserContext, size: Size): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    await page.setViewport(size);
    await page.evaluateOnNewDocument(tellViolations);
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(toText(message));
    });
    page.on('pageerror', (error) => errors.push(`thrown: ${error}`));
    return page;
  }

  return {
    /** A page in a context of its own: no cookies, nothing stored. */
    async open(size: Size = desktop): Promise<Page> {
      const context = await chromium.browser.createBrowserContext();
      contexts.push(context);
      return newPage(context, size);
    },
    /** Another tab of the same person. */
    openBeside: (page: Page) => newPage(page.browserContext(), desktop),
    /** The errors that this test wants to see. */
    expectErrors(...patterns: RegExp[]): void {
      expected.push(...patterns);
    },
    /** Goes to a path of the product, and waits until its page obeys. Answers the status. */
    async goTo(page: Page, path: string): Promise<number> {
      const response = await page.goto(`${url}${path}`);
      await becomesInteractive(page);
      return response?.status() ?? 0;
    },
  };
}

/** Waits until React has taken over what the server sent: a click or a key before that is lost. */
export async function becomesInteractive(page: Page): Promise<void> {
  await page.waitForFunction(`(() => {
    const taken = (element) => Object.keys(element).some((key) => key.startsWith('__reactProps$'));
    const parts = [...document.querySelectorAll('main button, main input, header button')];
    return document.readyState === 'complete' && parts.every(taken);
  })()`);
}
