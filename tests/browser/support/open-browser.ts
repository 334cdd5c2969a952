import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, ConsoleMessage, HTTPResponse, Page } from 'puppeteer-core';
import { afterEach, beforeAll, inject } from 'vitest';
import { launchChromium } from '@/lib/pdf/chromium/launch';
import { logFile } from '@/tests/setup/provided';
import { browserCache, makeDataDir } from '@/tests/setup/temporary-dir';
import { keepEvidence } from './keep-evidence';
import { makeSteady } from './steady-page';

export type Size = { width: number; height: number };
export const desktop: Size = { width: 1280, height: 860 };
export const phone: Size = { width: 360, height: 740 };

function toText(message: ConsoleMessage): string {
  const { url } = message.location();
  return `${message.text()}${url ? ` (${url})` : ''}`;
}

const reportViolations = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy: ' + event.effectiveDirective + ' forbids ' + (event.blockedURI || 'inline code')
    + ' at ' + event.sourceFile + ':' + event.lineNumber))`;

async function launch(): Promise<Browser> {
  const profile = await makeDataDir();
  const { browser } = await launchChromium({
    executable: process.env.CHROMIUM_PATH || undefined,
    dataDir: browserCache,
    network: 'loopback',
    userDataDir: join(profile.path, 'profile'),
    log: { warn: (...said: unknown[]) => console.warn(...said) },
  });
  return browser;
}

/** The browser of this worker. The test files that run in the worker share it, but each test has its own contexts. */
let launched: Promise<Browser> | undefined;

/** Contexts of finished tests, kept for reuse. Their data is removed, but the app's scripts are still cached. */
const emptied: BrowserContext[] = [];

/** Closes the pages of a context, and removes its permissions and all data of the origin except the HTTP cache. */
async function empty(context: BrowserContext, origin: string): Promise<void> {
  const pages = await context.pages();
  const last = await context.newPage();
  await Promise.all(pages.map((page) => page.close()));
  const session = await last.createCDPSession();
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await context.clearPermissionOverrides();
  await last.close();
}

/**
 * Provides the browser for the tests of a file. A test fails if one of its pages logs an error, throws or violates its
 * Content-Security-Policy, except for errors that the test expects. If a test fails, its evidence is saved in
 * `test-results` (see `keepEvidence`).
 */
export function openBrowser() {
  const { url, dataDir } = inject('atelier');
  const expected: RegExp[] = [];
  /**
   * The errors of the current test. A page may still report an error after its test has ended, so each page keeps the
   * list of the test that opened it.
   */
  let errors: string[] = [];
  const contexts: BrowserContext[] = [];
  const written: string[] = [];
  const requestIds = new Set<string>();
  let browser: Browser;

  beforeAll(async () => {
    launched ??= launch();
    browser = await launched;
  });
  afterEach(async ({ task }) => {
    const found = errors.filter((text) => !expected.some((pattern) => pattern.test(text)));
    errors = [];
    expected.length = 0;
    const isFailed = found.length > 0 || task.result?.state === 'fail';
    if (isFailed) {
      const pages = (await Promise.all(contexts.map((context) => context.pages()))).flat();
      const log = (await readFile(logFile(dataDir), 'utf8')).split('\n');
      const server = log.filter((line) => requestIds.has(/"requestId":"([^"]+)"/.exec(line)?.[1] ?? ''));
      await keepEvidence({ test: task, pages, console: written, server });
    }
    written.length = 0;
    requestIds.clear();
    for (const context of contexts.splice(0)) {
      if (isFailed) {
        await context.close();
        continue;
      }
      await empty(context, url);
      emptied.push(context);
    }
    if (found.length > 0) throw new Error(`The page complained:\n${found.join('\n')}`);
  });

  function noteRequest(response: HTTPResponse): void {
    const id = response.headers()['x-request-id'];
    if (id) requestIds.add(id);
  }

  async function newPage(context: BrowserContext, size: Size): Promise<Page> {
    const page = await context.newPage();
    const errorsOfTest = errors;
    page.setDefaultTimeout(120_000);
    makeSteady(page);
    await page.setViewport(size);
    // Turn off transitions, so the tests do not have to wait for them.
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    await page.evaluateOnNewDocument(reportViolations);
    page.on('response', noteRequest);
    page.on('console', (message) => {
      written.push(`${message.type()}: ${toText(message)}`);
      if (message.type() === 'error') errorsOfTest.push(toText(message));
    });
    page.on('pageerror', (error) => errorsOfTest.push(`thrown: ${error}`));
    return page;
  }

  return {
    /** Opens a page in a separate context, without cookies or storage. */
    async open(size: Size = desktop): Promise<Page> {
      const context = emptied.pop() ?? (await browser.createBrowserContext());
      contexts.push(context);
      return newPage(context, size);
    },
    /** Opens another tab of the same user. */
    openBeside: (page: Page) => newPage(page.browserContext(), desktop),
    /** Allows these errors for the rest of the test. */
    expectErrors(...patterns: RegExp[]): void {
      expected.push(...patterns);
    },
    /** Opens a path of the app and waits until the page is interactive. Returns the HTTP status. */
    async goTo(page: Page, path: string): Promise<number> {
      const response = await page.goto(`${url}${path}`);
      await becomesInteractive(page);
      return response?.status() ?? 0;
    },
  };
}

/** Waits until React has hydrated the page. Clicks and key presses before that are lost. */
export async function becomesInteractive(page: Page): Promise<void> {
  await page.waitForFunction(`(() => {
    const taken = (element) => Object.keys(element).some((key) => key.startsWith('__reactProps$'));
    const parts = [...document.querySelectorAll('main button, main input, header button')];
    return document.readyState === 'complete' && parts.every(taken);
  })()`);
}
