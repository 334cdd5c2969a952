import { beforeAll, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/support/api';
import { newAdmin } from '@/tests/app/support/people';
import { unique, upload, waitForStatus } from '@/tests/app/support/specs';
import { holdSpecs } from './support/hold-specs';
import { openBrowser } from './support/open-browser';
import { isLive, openSpecs, password } from './support/spec-pages';
import { tabTo } from './support/tab-to';

holdSpecs('shared');
const { url, env } = inject('atelier');
const { open, goTo } = openBrowser();
let admin: Api;

beforeAll(async () => {
  admin = apiAt(url, (await newAdmin(env)).headers);
});

test('an admin signs in, opens the first spec and retries it by keyboard alone', async () => {
  const brandName = unique('Glacier');
  await admin('/api/admin/brands', { json: { name: brandName } });
  const id = await upload(admin, { brandName, fileName: 'spa.pdf', propertyName: 'Hotel [fail-once]' });
  await waitForStatus(admin, id, 'failed');

  const page = await open();
  await goTo(page, `/sign-in?next=${encodeURIComponent(`/admin/specs?brand=${brandName}`)}`);
  // The first field has the focus when the page opens.
  await page.keyboard.type('admin@atelier.test');
  await tabTo(page, 'Password');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await isLive(page);

  await tabTo(page, 'spa.pdf');
  await page.keyboard.press('Enter');
  await page.locator('::-p-text(Processing failed)').wait();
  await page.locator('section[aria-label="Page 1"] canvas').wait();
  await tabTo(page, 'Try again');
  await page.keyboard.press('Enter');
  await page.locator('::-p-xpath(//li[contains(., "Attempt 2")]//*[normalize-space()="Done"])').wait();
  // The button is gone, so the focus is on the group that contained it.
  await page.waitForFunction("document.activeElement.getAttribute('aria-label') === 'Actions'");
});

test('closing a menu with Escape returns the focus to its button', { tags: ['extended'] }, async () => {
  const brandName = unique('Harbor');
  await admin('/api/admin/brands', { json: { name: brandName } });
  await waitForStatus(admin, await upload(admin, { brandName, fileName: 'bar.pdf' }), 'completed');
  const page = await open();
  await openSpecs(page, `?brand=${encodeURIComponent(brandName)}`);
  await tabTo(page, 'More for bar.pdf');
  await page.keyboard.press('Enter');
  await page.waitForFunction("document.activeElement.getAttribute('role') === 'menuitem'");
  await page.keyboard.press('Escape');
  await page.waitForFunction("document.activeElement.getAttribute('aria-label') === 'More for bar.pdf'");
});
