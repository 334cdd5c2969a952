import { expect, inject, test } from 'vitest';
import { expectFitForAll } from './support/axe';
import { openBrowser } from './support/open-browser';

const { url } = inject('atelier');
const { open, goTo, expectErrors } = openBrowser();

test('the documentation is public, and its page requests no other host', async () => {
  const page = await open();
  const hosts = new Set<string>();
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) hosts.add(new URL(request.url()).origin);
  });
  expect(await goTo(page, '/docs')).toBe(200);
  await page.locator('::-p-text(Conversations that generate and refine images.)').wait();
  await page.waitForSelector('::-p-text(A signed URL in a response is valid for an hour)', { visible: true });
  await expectFitForAll(page);
  expect([...hosts]).toEqual([url]);
});

test.each(['/api/openapi.json', 'swagger-ui-bundle'])(
  'the documentation page shows an error when %s cannot be loaded, and can try again',
  { tags: ['extended'] },
  async (part) => {
    const page = await open();
    let isAway = true;
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      if (isAway && request.url().includes(part)) void request.abort();
      else void request.continue();
    });
    expectErrors(/Failed to load resource/);
    await goTo(page, '/docs');
    await page.locator('::-p-text(The API reference could not be loaded)').wait();
    isAway = false;
    await page.locator('::-p-aria([name="Try again"][role="button"])').click();
    await page.locator('::-p-text(Conversations that generate and refine images.)').wait();
  },
);

test('a URL of the documentation leads to one call, with its example and its errors', {
  tags: ['extended'],
}, async () => {
  const page = await open();
  await goTo(page, '/docs#/Image%20generation/postImageGenJobs');
  await page.locator('::-p-text(Idempotency-Key)').wait();
  await page.locator('::-p-text(Oak Veneer 01)').wait();
  await page.locator('::-p-text(Too many requests)').wait();
  await expectFitForAll(page);
});

test('the workflows and the document can be downloaded from the documentation', {
  tags: ['extended'],
}, async () => {
  const page = await open();
  await goTo(page, '/docs');
  const links = await page.$$eval('main a[download]', (all) =>
    all.map((link) => link.getAttribute('href') ?? ''),
  );
  expect(links).toHaveLength(4);
  for (const link of links) {
    const response = await fetch(`${url}${link}`);
    expect(response.status, link).toBe(200);
    expect(await response.json(), link).toBeTypeOf('object');
  }
});
