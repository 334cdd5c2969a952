// @module-tag extended
import type { Page } from 'puppeteer-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/support/api';
import { newAdmin } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { readSpec, unique, upload } from '@/tests/app/support/specs';
import { makePdf } from '@/tests/pdf/support/make-pdf';
import { japanesePdf, jpeg2000Pdf, rawPdf } from '@/tests/pdf/support/raw-pdf';
import { expectFitForAll } from './support/axe';
import { holdSpecs } from './support/hold-specs';
import { openBrowser } from './support/open-browser';
import { byRole, openSpecs } from './support/spec-pages';
import { tabTo } from './support/tab-to';

holdSpecs('shared');
const { url, env } = inject('atelier');
const { open, expectErrors } = openBrowser();
let admin: Api;

beforeAll(async () => {
  admin = apiAt(url, (await newAdmin(env)).headers);
});

/** Waits until the reader shows a page with its text. */
async function showsPage(page: Page, number: number): Promise<void> {
  await page.waitForFunction(
    `document.querySelector('input[aria-label=Page]')?.value === '${number}'
      && document.querySelector('section[aria-label="Page ${number.toLocaleString('en')}"] span')`,
  );
}

const found = (page: Page, text: string) =>
  page.waitForFunction(
    `document.querySelector('[role=toolbar] [role=status]').textContent === ${JSON.stringify(text)}`,
  );

test('a long PDF opens at a search match, and its pages, text and sections can be used', async () => {
  const brandName = unique('Reader');
  await admin('/api/admin/brands', { json: { name: brandName } });
  const file = await makePdf({ sections: 60, title: 'Brand standards' });
  const id = await upload(admin, { brandName, file, fileName: 'standards.pdf', propertyName: '[silent]' });
  await poll('the PDF was read', async () => (await readSpec(admin, id)).textState === 'done');

  const page = await open();
  await openSpecs(page, `?brand=${encodeURIComponent(brandName)}&q=${encodeURIComponent('section 42')}`);
  await page.locator(byRole('link', 'standards.pdf')).click();
  await showsPage(page, 42);
  await found(page, '1 of 1');
  expect(await page.evaluate("CSS.highlights.get('spec-match').size")).toBe(1);

  // Only the visible pages and those next to them are rendered.
  expect((await page.$$('section[aria-label^="Page "] canvas')).length).toBeLessThan(6);

  await page.focus('section[aria-label="PDF"]');
  await page.keyboard.press('PageDown');
  await showsPage(page, 43);
  await page.keyboard.press('/');
  await page.keyboard.type('Section 7');
  await found(page, '1 of 1');
  await page.keyboard.press('Enter');
  await showsPage(page, 7);
  await page.keyboard.press('Escape');

  const selected = await page.evaluate(`(() => {
    getSelection().selectAllChildren(document.querySelector('section[aria-label="Page 7"]'));
    return getSelection().toString();
  })()`);
  expect(selected).toContain('The finish is matt');

  await page.locator('::-p-xpath(//nav[@aria-label="Sections"]//button[contains(., "Section 12")])').click();
  await showsPage(page, 12);

  await page.locator(byRole('button', 'Edit sections')).click();
  await page.locator('input[aria-label="Title of section 1"]').fill('Foreword');
  await page.locator(byRole('button', 'Delete section 2')).click();
  await page.locator(byRole('button', 'Undo')).click();
  await page.locator('input[aria-label="Title of section 2"]').wait();
  await page.locator(byRole('button', 'Add text to section 1')).click();
  await page.locator('textarea[aria-label="Text of section 1"]').fill('Opening words');
  await expectFitForAll(page);
  // Neither Escape nor Cancel discards the edits without asking.
  const kept = async () => {
    await page.locator('::-p-text(Discard your edits?)').wait();
    await page.locator(byRole('button', 'Keep editing')).click();
    await page.waitForFunction("!document.body.textContent.includes('Discard your edits?')");
  };
  await page.keyboard.press('Escape');
  await kept();
  await page.locator(byRole('button', 'Cancel')).click();
  await kept();
  await page.locator(byRole('button', 'Save')).click();
  await page.locator('::-p-text(Edited manually)').wait();
  await page.locator('::-p-xpath(//nav[@aria-label="Sections"]//button[contains(., "Foreword")])').wait();

  await tabTo(page, 'Text of Foreword');
  await page.keyboard.press('Enter');
  await page.locator('::-p-text(Opening words)').wait();
  await expectFitForAll(page);

  await page.locator(byRole('button', 'More actions for sections')).click();
  await page.locator('::-p-text(Export as CSV)').wait();
  const csv = await page.$eval('::-p-text(Export as CSV)', (link) => link.closest('a')?.href ?? '');
  const exported = await page.evaluate(`fetch(${JSON.stringify(csv)}).then((response) => response.text())`);
  expect(String(exported).split('\r\n').slice(1, 3)).toEqual([
    '1,1,"Foreword",1,"Opening words"',
    '2,2,"A part of the first",1,""',
  ]);
  await page.locator(byRole('menuitem', 'Restore original…')).click();
  await page.locator('::-p-text(Restore the original sections?)').wait();
  await page.locator(byRole('button', 'Restore original')).click();
  await page.locator('::-p-text(From the outline of the PDF)').wait();
  await expectFitForAll(page);
});

test('a PDF of 1,000 pages is opened after a failed attempt, shown at its end, searched and left with few pages rendered, and one without text has no matches', async () => {
  const brandName = unique('Long');
  await admin('/api/admin/brands', { json: { name: brandName } });
  const files = {
    'long.pdf': await makePdf({
      sections: 1_000,
      texts: Array.from({ length: 1_000 }, (_, n) => `Room ${n + 1}`),
    }),
    'plain.pdf': rawPdf({
      objects: [
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
      ],
    }),
  };
  const page = await open();
  for (const [fileName, file] of Object.entries(files)) {
    const id = await upload(admin, { brandName, file, fileName, propertyName: '[silent]' });
    const { textState } = await poll('the PDF was read', async () => {
      const spec = await readSpec(admin, id);
      return spec.textState !== 'pending' && spec;
    });
    expect(textState).toBe(fileName === 'long.pdf' ? 'done' : 'none');
  }
  await openSpecs(page, `?brand=${encodeURIComponent(brandName)}`);
  let isOffline = true;
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (isOffline && request.url().includes('/pdf.min.')) void request.abort();
    else void request.continue();
  });
  expectErrors(/Failed to load resource/);
  await page.locator(byRole('link', 'long.pdf')).click();
  await page.locator('::-p-text(The file could not be loaded. Check the connection.)').wait();
  isOffline = false;
  await page.locator(byRole('button', 'Try again')).click();
  await showsPage(page, 1);
  await page.locator('::-p-xpath(//dd[normalize-space()="1,001 in the outline"])').wait();
  await page.locator('input[aria-label=Page]').fill('1000');
  await showsPage(page, 1_000);
  await page.locator('input[aria-label="Search in the PDF"]').fill('Room 777');
  await found(page, '1 of 1');
  await page.keyboard.press('Enter');
  await showsPage(page, 777);
  expect((await page.$$('section[aria-label^="Page "] canvas')).length).toBeLessThan(6);
  await expectFitForAll(page);

  await openSpecs(page, `?brand=${encodeURIComponent(brandName)}`);
  await page.locator(byRole('link', 'plain.pdf')).click();
  await page.locator('::-p-text(No text)').wait();
  await page.locator('section[aria-label="Page 1"] canvas').wait();
  await page.locator('input[aria-label="Search in the PDF"]').fill('Room');
  await found(page, 'No matches');
  await expectFitForAll(page);
});

test('text in a Japanese font that is not embedded and a JPEG 2000 image are shown', async () => {
  const brandName = unique('Japanese');
  await admin('/api/admin/brands', { json: { name: brandName } });
  const page = await open();
  /** Waits until the middle of the page's canvas has a pixel in whose color a channel is below 100. */
  const isDrawn = () =>
    page.waitForFunction(`(() => {
      const canvas = document.querySelector('section[aria-label="Page 1"] canvas');
      if (!canvas?.width) return false;
      const { width, height } = canvas;
      const { data } = canvas.getContext('2d').getImageData(0, height / 4, width, height / 2);
      return data.some((value, n) => n % 4 !== 3 && value < 100);
    })()`);

  const file = japanesePdf('UniJIS-UTF16-H', '67714EAC306E5E8A');
  await upload(admin, { brandName, file, fileName: 'floor.pdf', propertyName: '[silent]' });
  await openSpecs(page, `?brand=${encodeURIComponent(brandName)}`);
  await page.locator(byRole('link', 'floor.pdf')).click();
  await showsPage(page, 1);
  await page.locator('input[aria-label="Search in the PDF"]').fill('東京');
  await found(page, '1 of 1');
  await isDrawn();

  await upload(admin, { brandName, file: jpeg2000Pdf(), fileName: 'photo.pdf', propertyName: '[silent]' });
  await openSpecs(page, `?brand=${encodeURIComponent(brandName)}`);
  await page.locator(byRole('link', 'photo.pdf')).click();
  await isDrawn();
});
