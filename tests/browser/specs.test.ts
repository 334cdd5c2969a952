import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/support/api';
import { newAdmin } from '@/tests/app/support/people';
import { readSpec, report, unique, upload, waitForStatus } from '@/tests/app/support/specs';
import { makePdf } from '@/tests/pdf/support/make-pdf';
import { makeDataDir } from '@/tests/setup/temporary-dir';
import { expectFitForTwo } from './support/axe';
import { chooseFile } from './support/choose-file';
import { holdSpecs } from './support/hold-specs';
import { openBrowser } from './support/open-browser';
import { byRole, cellsOf, isLive, openPicker, openSpecs, pickName, specRow } from './support/spec-pages';

holdSpecs('shared');
const { url, env } = inject('atelier');
const { open, goTo, expectErrors } = openBrowser();
let files: Awaited<ReturnType<typeof makeDataDir>>;
let admin: Api;

beforeAll(async () => {
  files = await makeDataDir();
  admin = apiAt(url, (await newAdmin(env)).headers);
});
afterAll(() => files.remove());

/** Creates a brand for one test. When filtered by this brand, the list contains only the specs of that test. */
async function newBrand(name: string): Promise<string> {
  const brandName = unique(name);
  expect((await admin('/api/admin/brands', { json: { name: brandName } })).status).toBe(201);
  return brandName;
}

const ofBrand = (brandName: string) => `?brand=${encodeURIComponent(brandName)}`;

async function uploadByHand(page: Page, name: string, facts: { brand: string; property: string }) {
  await pickName(page, `Brand of ${name}`, facts.brand);
  await pickName(page, `Area of ${name}`, 'Lobby');
  await page.locator(`input[aria-label="Property of ${name} (optional)"]`).fill(facts.property);
  await page.locator(byRole('button', 'Upload 1 file')).click();
}

describe('uploads on the page of specs', () => {
  test('a PDF of 12 MB shows its upload progress, and completes while the page is open', async () => {
    const brand = await newBrand('Aurora');
    const page = await open();
    await openSpecs(page, ofBrand(brand));
    await page.evaluate("window.sameDocument = 'yes'");
    await chooseFile(page, files.path, 'lobby.pdf', await makePdf({ sections: 9, bytes: 12 * 1024 * 1024 }));
    // Emulate a connection that is fast, but slow enough to show progress.
    await page.emulateNetworkConditions({ upload: 8e6, download: 8e6, latency: 5 });
    await uploadByHand(page, 'lobby.pdf', { brand, property: 'Grand Hotel' });
    const row = page.locator('::-p-xpath(//li[@data-status="sending"])');
    await row.filter((li) => /[1-9][\d.]* MB of 12 MB sent/.test(li.textContent ?? '')).wait();
    const sent = await page.$eval('progress[aria-label="Progress of all uploads"]', ({ value }) => value);
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(1);
    await page.locator('::-p-text(1 of 1 file uploaded)').wait();
    await page.locator(byRole('button', 'Show 1 uploaded file')).click();
    await page.locator(byRole('link', 'View: lobby.pdf')).wait();
    await page.emulateNetworkConditions(null);
    await page.locator(specRow('lobby.pdf', 'completed', '9')).wait();
    expect(await cellsOf(page, 'lobby.pdf')).toMatchObject({
      2: `${brand} · Lobby · Grand Hotel`,
      3: '9',
      4: '12 MB',
    });
    expect(await page.evaluate('window.sameDocument')).toBe('yes');
    await expectFitForTwo(page);
  });

  test('a PDF whose processing fails shows the reason, and completes when it is retried in its row', {
    tags: ['extended'],
  }, async () => {
    const brand = await newBrand('Borealis');
    const page = await open();
    await openSpecs(page, ofBrand(brand));
    await chooseFile(page, files.path, 'suite.pdf', await makePdf({ sections: 4 }));
    await uploadByHand(page, 'suite.pdf', { brand, property: 'Hotel [fail-once]' });
    await page.locator(specRow('suite.pdf', 'failed', 'the workflow was told to fail')).wait();
    await page.locator(byRole('button', 'Try again: suite.pdf')).click();
    await page.locator(specRow('suite.pdf', 'completed', '4')).wait();
    expect(await cellsOf(page, 'suite.pdf')).toMatchObject({ 1: 'suite.pdf2 attempts', 3: '4' });
  });

  test('a folder of PDFs is uploaded with areas guessed from folder names and one new brand for all files', {
    tags: ['extended'],
  }, async () => {
    const area = unique('Foyer');
    expect((await admin('/api/admin/areas', { json: { name: area } })).status).toBe(201);
    const brand = unique('Zephyr');
    const folder = join(files.path, `specs-${unique('folder')}`);
    await mkdir(join(folder, 'Hotel Oslo', area), { recursive: true });
    await writeFile(join(folder, 'Hotel Oslo', area, 'curtains.pdf'), await makePdf({ sections: 2 }));
    await writeFile(join(folder, 'stone.pdf'), await makePdf({ sections: 3 }));
    await writeFile(join(folder, 'notes.txt'), 'not a PDF');

    const page = await open();
    await openSpecs(page);
    const [, folderInput] = await page.$$('input[type=file]');
    await folderInput?.uploadFile(folder);
    await page.locator(`button[aria-label="Area of curtains.pdf: ${area}, guessed"]`).wait();
    expect(await page.$('::-p-text(notes.txt)')).toBeNull();

    await openPicker(page, 'Brand of all files');
    await page.keyboard.type(brand);
    await page.locator(byRole('option', `Add “${brand}”`)).click();
    await page.locator(`button[aria-label="Brand of all files: ${brand}"]`).wait();
    await page.locator(byRole('button', 'Apply to all')).click();
    await page.locator(byRole('button', 'Upload 1 file')).wait();
    // Pressing Enter opens the picker. After typing, pressing Enter picks the first match.
    await page.focus('button[aria-label="Area of stone.pdf: not chosen"]');
    await page.keyboard.press('Enter');
    await page.locator('input[aria-label="Area of stone.pdf"]').wait();
    await page.keyboard.type(area);
    await page.locator(byRole('option', area)).wait();
    await page.keyboard.press('Enter');
    await page.waitForFunction(`document.activeElement?.ariaLabel === 'Area of stone.pdf: ${area}'`);

    await page.locator(byRole('button', 'Upload 2 files')).click();
    await page.locator('::-p-text(2 of 2 files uploaded)').wait();
    await page.locator(specRow('curtains.pdf', 'completed', '2')).wait();
    await page.locator(specRow('stone.pdf', 'completed', '3')).wait();
    expect(await cellsOf(page, 'curtains.pdf')).toMatchObject({ 2: `${brand} · ${area}` });
  });

  test('a file that is not a PDF is not sent, and the page says why', { tags: ['extended'] }, async () => {
    const page = await open();
    await openSpecs(page);
    await chooseFile(page, files.path, 'notes.txt', 'not a PDF');
    await page.locator('::-p-text(Not a PDF)').wait();
    expect(await page.$(byRole('button', 'Upload 1 file'))).toBeNull();
  });

  test('files can be dropped anywhere on the page, which says so while they are dragged', async () => {
    const page = await open();
    await openSpecs(page);
    const pdf = Buffer.from(await makePdf({ sections: 1 })).toString('base64');
    const drag = (type: 'dragover' | 'drop') =>
      page.evaluate(`(() => {
        const data = new DataTransfer();
        const bytes = Uint8Array.from(atob('${pdf}'), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], 'dropped.pdf', { type: 'application/pdf' }));
        const event = new DragEvent('${type}', { dataTransfer: data, bubbles: true, cancelable: true });
        document.querySelector('h1').dispatchEvent(event);
        return event.defaultPrevented;
      })()`);
    // The page handles the event; otherwise, the browser would open the file.
    expect(await drag('dragover')).toBe(true);
    await page.locator('::-p-text(Drop PDFs or folders to upload them)').wait();
    expect(await drag('drop')).toBe(true);
    await page.locator('button[aria-label^="Brand of dropped.pdf:"]').wait();
    await page.waitForSelector('::-p-text(Drop PDFs or folders to upload them)', { hidden: true });
  });
});

describe('the list of specs', { tags: ['extended'] }, () => {
  test('the list of specs keeps its filter in the URL, and Back restores it', async () => {
    const brandName = await newBrand('Cirrus');
    const kept = await upload(admin, { brandName, fileName: 'good.pdf' });
    const failed = await upload(admin, { brandName, fileName: 'bad.pdf', propertyName: '[fail]' });
    await waitForStatus(admin, kept, 'completed');
    await waitForStatus(admin, failed, 'failed');
    const page = await open();
    await openSpecs(page);
    // Focusing this field loads its code. The field keeps the focus.
    await page.focus('input[aria-label=Brand]');
    await page.waitForFunction("document.activeElement.matches('input[aria-label=Brand]:not([readonly])')");
    await page.keyboard.type(brandName);
    await page.locator(byRole('option', brandName)).wait();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const shown = () => page.$$eval('tbody tr a', (links) => links.map((link) => link.textContent).sort());
    const waitForShown = (count: number) =>
      page.waitForFunction(
        `location.search.includes('brand=') && document.querySelectorAll('tbody tr').length === ${count}`,
      );
    await waitForShown(2);
    expect(await shown()).toEqual(['bad.pdf', 'good.pdf']);

    await page.locator('::-p-xpath(//label[starts-with(normalize-space(), "Failed")])').click();
    await waitForShown(1);
    expect(await shown()).toEqual(['bad.pdf']);
    const params = new URL(page.url()).searchParams;
    expect([params.get('status'), params.get('brand')]).toEqual(['failed', brandName]);

    await page.goBack();
    await waitForShown(2);
    expect(new URL(page.url()).searchParams.get('status')).toBeNull();
    await page.goForward();
    await waitForShown(1);
    // The URL alone restores the view.
    await page.reload();
    await waitForShown(1);
    expect(await shown()).toEqual(['bad.pdf']);
  });

  test('a spec is deleted only after a confirmation', async () => {
    const brandName = await newBrand('Drift');
    const id = await upload(admin, { brandName, fileName: 'old.pdf' });
    await waitForStatus(admin, id, 'completed');
    const page = await open();
    await openSpecs(page, ofBrand(brandName));
    const askToDelete = async () => {
      await page.locator(byRole('button', 'More for old.pdf')).click();
      await page.locator(byRole('menuitem', 'Delete…')).click();
    };
    await askToDelete();
    await page.locator(byRole('button', 'Keep spec')).click();
    await page.waitForSelector('[role=dialog]', { hidden: true });
    expect((await readSpec(admin, id)).status).toBe('completed');

    await askToDelete();
    await page.locator(byRole('button', 'Delete spec')).click();
    await page.locator(`::-p-text(No spec matches the brand ${brandName}.)`).wait();
    expect((await admin(`/api/admin/specs/${id}`)).status).toBe(404);
  });

  test('the page of specs shows that it is offline, keeps its rows, catches up and continues uploads', async () => {
    const brandName = await newBrand('Ember');
    await upload(admin, { brandName, fileName: 'first.pdf' });
    const page = await open();
    await openSpecs(page, ofBrand(brandName));
    await page.locator(specRow('first.pdf', 'completed')).wait();
    // Allow only the browser's own error message that the network connection is lost.
    expectErrors(/ERR_INTERNET_DISCONNECTED/);
    await page.setOfflineMode(true);
    await page.locator('::-p-text(You are offline)').wait();
    await page.locator(specRow('first.pdf', 'completed')).wait();
    await upload(admin, { brandName, fileName: 'second.pdf' });
    await chooseFile(page, files.path, 'third.pdf', await makePdf({ sections: 2 }));
    await uploadByHand(page, 'third.pdf', { brand: brandName, property: 'Pier' });
    await page.locator('::-p-text(The upload continues when you are online again)').wait();
    await page.setOfflineMode(false);
    await page.waitForSelector('::-p-text(You are offline)', { hidden: true });
    await isLive(page);
    await page.locator(specRow('second.pdf', 'completed')).wait();
    await page.locator(specRow('third.pdf', 'completed')).wait();
  });

  test('a spec that the workflow service does not accept shows when it is sent again and why, in the list and on its page', async () => {
    const brandName = await newBrand('Gale');
    const id = await upload(admin, { brandName, fileName: 'lobby.pdf', propertyName: '[broken-once]' });
    const page = await open();
    await openSpecs(page, ofBrand(brandName));
    const shows = (place: string, text: RegExp) =>
      page.waitForFunction(`${text}.test(document.querySelector('${place}')?.textContent)`);
    await shows('tbody tr', /^Delayed.*Trying again: attempt \d+ of 14, next at \d\d:\d\d/);
    await report(apiAt(url), env.WEBHOOK_SECRET, { spec_upload_id: id }, 1);
    const note = 'The workflow service sent a callback that cannot be read: The body has no status.';
    await page.locator(specRow('lobby.pdf', undefined, note)).wait();
    await expectFitForTwo(page);

    await page.locator(byRole('link', 'lobby.pdf')).click();
    await shows(
      'main [role=note]',
      /^Trying again: attempt \d+ of 14.*The workflow service returned HTTP 500\./,
    );
    await page.locator(`::-p-text(${note})`).wait();
    await expectFitForTwo(page);
    await page.locator(byRole('button', 'Stop…')).click();
    await page.locator(byRole('button', 'Stop')).click();
    await page.locator('::-p-text(Stopped by an administrator.)').wait();
    expect(await page.$('::-p-text(Trying again)')).toBeNull();
  });

  test('a spec is stopped in the list, another is processed again on its page, and a deleted spec links back', async () => {
    const brandName = await newBrand('Fjord');
    await upload(admin, { brandName, fileName: 'slow.pdf', propertyName: '[silent]' });
    const id = await upload(admin, { brandName, fileName: 'hall.pdf' });
    const page = await open();
    await openSpecs(page, ofBrand(brandName));
    await page.locator(byRole('button', 'More for slow.pdf')).click();
    await page.locator(byRole('menuitem', 'Stop…')).click();
    await page.locator(byRole('button', 'Stop')).click();
    await page.locator(specRow('slow.pdf', 'failed')).wait();
    await page.locator(byRole('link', 'hall.pdf')).click();
    await page.locator('::-p-xpath(//h1[normalize-space()="hall.pdf"])').wait();
    await page.locator('::-p-text(History: 1 attempt, done)').wait();
    await page.locator(byRole('button', 'Process again…')).click();
    await page.locator(byRole('button', 'Process again')).click();
    await page.locator('::-p-text(History: 2 attempts, done)').wait();
    await admin(`/api/admin/specs/${id}`, { method: 'DELETE' });
    // The page updates live, without any interaction.
    await page.locator('::-p-text(This spec was deleted)').wait();
    expectErrors(/status of 404/);
    expect(await goTo(page, `/admin/specs/${id}`)).toBe(404);
    await page.locator('::-p-text(Spec not found)').wait();
  });
});
