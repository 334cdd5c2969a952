import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { respondUnavailable } from '@/lib/launcher/respond-unavailable';
import { freePorts } from '@/tests/setup/free-ports';
import { seriousFindings } from './support/axe';
import { openBrowser, phone } from './support/open-browser';

const { open, expectErrors } = openBrowser();

test('a page opened while the app is being built says so, and loads the app when it is ready', async () => {
  const { port } = await freePorts();
  const { stop } = await respondUnavailable(port, '127.0.0.1', 'building');
  expectErrors(/status of 503/, /ERR_CONNECTION_REFUSED/);
  const page = await open(phone);
  const response = await page.goto(`http://127.0.0.1:${port}/projects?tab=archived`);
  expect(response?.status()).toBe(503);
  expect(await page.$eval('main', (main) => main.textContent)).toContain('Atelier is being built');
  for (const value of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
    expect(await seriousFindings(page), value).toEqual([]);
  }
  // Wait until the page's script has received a 503. Without the wait, the script's first request might already reach
  // the app that starts below.
  await page.waitForResponse((each) => each.url().endsWith('/api/health') && each.status() === 503);
  await stop();

  const app = createServer(({ url }, reply) => void reply.end(`<!doctype html><title>${url}</title>`));
  await new Promise<void>((resolve) => app.listen(port, '127.0.0.1', resolve));
  await page.waitForFunction("document.title === '/projects?tab=archived'");
  app.closeAllConnections();
  app.close();
});
