// @module-tag extended
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/support/api';
import { newAdmin } from '@/tests/app/support/people';
import { inParallel } from '@/tests/app/support/poll';
import { unique, upload, waitForStatus } from '@/tests/app/support/specs';
import { makeDataDir } from '@/tests/setup/temporary-dir';
import { expectFitForAll } from './support/axe';
import { chooseFile } from './support/choose-file';
import { holdSpecs } from './support/hold-specs';
import { openBrowser } from './support/open-browser';
import { byRole, cellsOf, openSpecs, specRow } from './support/spec-pages';
import { tabTo } from './support/tab-to';

holdSpecs('shared');
const { url, env } = inject('atelier');
const { open, goTo } = openBrowser();
const brandName = unique('Isle');
const otherBrand = unique('Jetty');
const word = unique('Harbor').replace(' ', '-');
let admin: Api;
let files: Awaited<ReturnType<typeof makeDataDir>>;

beforeAll(async () => {
  files = await makeDataDir();
  admin = apiAt(url, (await newAdmin(env)).headers);
  for (const name of [brandName, otherBrand]) await admin('/api/admin/brands', { json: { name } });
});
afterAll(() => files.remove());

test('many specs are retried, edited, moved with their brand and deleted by mouse and keyboard, and the list keeps its place', async () => {
  const fill = Array.from({ length: 26 }, (_, n) => `z${String(n).padStart(2, '0')}.pdf`);
  const add = (fileName: string, mode: string) =>
    upload(admin, { brandName, fileName, propertyName: `${word} ${mode}` });
  await inParallel(fill, 4, (fileName) => add(fileName, '[silent]'));
  const failing = await inParallel(['a.pdf', 'b.pdf', 'c.pdf'], 3, (fileName) =>
    add(fileName, '[fail-once]'),
  );
  for (const id of failing) await waitForStatus(admin, id, 'failed');

  const page = await open();
  await openSpecs(page, `?q=${word}&sort=file`);
  const focused = (name: string) =>
    page.waitForFunction(`document.activeElement.getAttribute('aria-label') === '${name}'`);
  const waitForText = (text: string) => page.locator(`::-p-text(${text})`).wait();

  // Retrying one spec keeps the focus in its row, and retrying the selected specs moves the focus to the list.
  await tabTo(page, 'Try again: a.pdf');
  await page.keyboard.press('Enter');
  await focused('More for a.pdf');
  await page.locator(specRow('a.pdf', 'completed')).wait();

  await tabTo(page, 'Select b.pdf');
  await page.keyboard.press('Space');
  await waitForText('1 selected');
  // Scroll the row away from the selection bar, which covers the bottom of the window.
  await page.$eval('input[aria-label="Select z01.pdf"]', (box) => box.scrollIntoView({ block: 'center' }));
  await page.keyboard.down('Shift');
  await page.locator('input[aria-label="Select z01.pdf"]').click();
  await page.keyboard.up('Shift');
  await waitForText('4 selected');
  await waitForText('4 specs selected.');
  await expectFitForAll(page);
  await page.locator(byRole('button', 'Try 2 failed again')).click();
  await waitForText('2 specs restarted.');
  for (const name of ['b.pdf', 'c.pdf']) await page.locator(specRow(name, 'completed')).wait();
  await focused('All specs');

  // Going back from a spec shows the same rows at the same position.
  await page.locator(byRole('button', 'Show more')).click();
  await waitForText('End of list');
  await page.locator(byRole('link', 'z25.pdf')).click();
  await page.locator('::-p-xpath(//h1[normalize-space()="z25.pdf"])').wait();
  await page.goBack();
  await page.waitForFunction(`(() => {
    const row = [...document.querySelectorAll('tbody tr')].at(-1);
    const top = row?.getBoundingClientRect().top ?? -1;
    return row?.textContent.includes('z25.pdf') && top > 0 && top < innerHeight;
  })()`);

  await page.locator('::-p-text(Select all 29 shown)').click();
  await waitForText('29 selected');
  await page.locator(byRole('button', 'Edit…')).click();
  await page.locator('::-p-text(Fields left empty do not change)').wait();
  await expectFitForAll(page);
  await page.locator('[role=dialog] input[aria-haspopup=listbox]').click();
  await page.locator(byRole('option', otherBrand)).click();
  await page.locator(byRole('button', 'Save')).click();
  await waitForText('29 specs were changed.');
  await page.locator(specRow('z25.pdf', 'processing', otherBrand)).wait();
  await expect
    .poll(() => cellsOf(page, 'a.pdf'))
    .toMatchObject({ 2: `${otherBrand} · Lobby · ${word} [fail-once]` });

  await goTo(page, '/admin/catalogue');
  const imported = unique('Imported');
  await chooseFile(page, files.path, 'brands.csv', `Brand\n${otherBrand.toUpperCase()}\n${imported}\n`);
  await waitForText('1 new brand will be added.');
  await page.locator(byRole('button', 'Import')).click();
  await waitForText('1 brand added. 1 already existed.');
  await page.locator(byRole('button', `More for ${imported}`)).wait();
  await page.locator(`input[type=search]`).fill(otherBrand);
  await page.locator(byRole('button', `More for ${otherBrand}`)).click();
  await page.locator(byRole('menuitem', 'Merge into another…')).click();
  await waitForText('29 specs are moved');
  await expectFitForAll(page);
  await page.waitForFunction("document.activeElement.getAttribute('aria-haspopup') === 'listbox'");
  // Insert the name at once, as if it were pasted. Enter then chooses the first match.
  await page.keyboard.sendCharacter(brandName);
  await page.waitForSelector('[role=option][data-combobox-selected]');
  await page.keyboard.press('Enter');
  await page.locator(byRole('button', 'Merge')).click();
  await waitForText(`${otherBrand} was merged into ${brandName}.`);
  // The row is gone, so the focus moves to the list.
  await page.waitForFunction("document.activeElement?.getAttribute('aria-labelledby') === 'brand-title'");

  await goTo(page, `/admin/specs?q=${word}&sort=file`);
  await page.locator(specRow('a.pdf', 'completed', brandName)).wait();
  // The specs that are not shown yet can be selected too.
  await page.locator('::-p-text(Select all 25 shown)').click();
  await page.locator(byRole('button', 'Select all 29 that match')).wait();
  await expectFitForAll(page);
  await page.locator(byRole('button', 'Select all 29 that match')).click();
  await waitForText('29 selected');
  await waitForText('End of list');
  await page.locator(byRole('button', 'Delete…')).click();
  await page.locator('::-p-text(Delete 29 specs?)').wait();
  await page.locator(byRole('button', 'Delete 29 specs')).click();
  await waitForText('No specs match');
  await focused('All specs');
});
