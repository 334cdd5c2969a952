// @module-tag extended
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/support/api';
import { newAdmin } from '@/tests/app/support/people';
import { expectFitForAll, seriousFindings } from './support/axe';
import { holdSpecs } from './support/hold-specs';
import { openBrowser, phone } from './support/open-browser';
import { byRole, isLive, openSpecs, specRow } from './support/spec-pages';
import { emptyTheList, makeStudioList } from './support/studio-list';

holdSpecs('alone');
const { url, env } = inject('atelier');
const { open } = openBrowser();
const picture = join(import.meta.dirname, 'screenshots/specs.png') as `${string}.png`;
let admin: Api;

beforeAll(async () => {
  admin = apiAt(url, (await newAdmin(env)).headers);
});

test('the pages of specs are accessible in both themes and widths: an empty list, a list, a menu, a dialog, one spec', async () => {
  await emptyTheList(admin);
  const page = await open();
  await openSpecs(page);
  await page.locator('::-p-text(No specs yet)').wait();
  await expectFitForAll(page);

  const specs = await makeStudioList(admin);
  await page.reload();
  await isLive(page);
  for (const { fileName, status } of specs) await page.locator(specRow(fileName, status)).wait();
  await expectFitForAll(page);
  if (process.env.ATELIER_SCREENSHOTS === '1') {
    await mkdir(join(picture, '..'), { recursive: true });
    await page.screenshot({ path: picture });
  }

  await page.locator(byRole('button', 'More for lobby-signage.pdf')).click();
  await page.locator(byRole('menuitem', 'Delete…')).wait();
  expect(await seriousFindings(page)).toEqual([]);
  await page.locator(byRole('menuitem', 'Delete…')).click();
  await page.locator(byRole('button', 'Delete spec')).wait();
  await expectFitForAll(page, [phone]);
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });

  await page.locator(byRole('link', 'bathroom-stone-schedule.pdf')).click();
  await page.locator('::-p-text(Processing failed)').wait();
  await expectFitForAll(page);
});

test('on a phone, every status is visible without scrolling, and one button shows the other filters', async () => {
  const page = await open(phone);
  await openSpecs(page);
  const statuses = await page.$$eval('[aria-label=Status] label', (labels) =>
    labels.map((label) => ({
      text: label.textContent?.split(' ')[0],
      right: label.getBoundingClientRect().right,
    })),
  );
  expect(statuses.map(({ text }) => text)).toEqual(['All', 'Queued', 'Processing', 'Done', 'Failed']);
  for (const { right } of statuses) expect(right).toBeLessThanOrEqual(phone.width);

  expect(await page.$('input[aria-label=Brand]').then((field) => field?.isVisible())).toBe(false);
  await page.locator(byRole('button', 'Filters and order')).click();
  await page.waitForSelector('input[aria-label=Brand]', { visible: true });
  expect(await seriousFindings(page)).toEqual([]);
});
