// @module-tag extended
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/support/api';
import { newAdmin } from '@/tests/app/support/people';
import { unique, upload, waitForStatus } from '@/tests/app/support/specs';
import { makePdf } from '@/tests/pdf/support/make-pdf';
import { makeDataDir } from '@/tests/setup/temporary-dir';
import { expectFitForAll } from './support/axe';
import { chooseFile, chooseFiles } from './support/choose-file';
import { holdSpecs } from './support/hold-specs';
import { openBrowser } from './support/open-browser';
import { byRole, openSpecs, pickName, specRow } from './support/spec-pages';

holdSpecs('shared');
const { url, env } = inject('atelier');
const { open, goTo, expectErrors } = openBrowser();
const brandName = unique('Kelp');
let admin: Api;
let files: Awaited<ReturnType<typeof makeDataDir>>;

beforeAll(async () => {
  files = await makeDataDir();
  admin = apiAt(url, (await newAdmin(env)).headers);
  await admin('/api/admin/brands', { json: { name: brandName } });
});
afterAll(() => files.remove());

const pdf = (...texts: string[]) => makePdf({ sections: texts.length, texts });

test('newer versions of a spec are uploaded from the upload table and from its page, which shows what changed', async () => {
  const first = await upload(admin, {
    brandName,
    fileName: 'lobby.pdf',
    file: await pdf('Walls are oak.', 'Doors are 90 cm wide.'),
  });
  await waitForStatus(admin, first, 'completed');
  const page = await open();
  await openSpecs(page, `?brand=${encodeURIComponent(brandName)}`);

  // The upload table offers to upload the file as a new version.
  await chooseFile(page, files.path, 'lobby v2.pdf', await pdf('Walls are oak.', 'Doors are 100 cm wide.'));
  await pickName(page, 'Brand of lobby v2.pdf', brandName);
  await pickName(page, 'Area of lobby v2.pdf', 'Lobby');
  await page.locator('input[aria-label="lobby v2.pdf: new version of lobby.pdf (v1)"]').click();
  await page.locator(byRole('button', 'Upload 1 file')).click();
  await page.locator(specRow('lobby v2.pdf', 'completed', 'v2')).wait();
  await page.waitForSelector(specRow('lobby.pdf'), { hidden: true });
  await page.locator('::-p-text(All versions)').click();
  await page.locator(specRow('lobby.pdf', 'completed', 'v1, replaced by v2')).wait();

  // The page of the older version links to the page of the newer one, which shows the changed words.
  await goTo(page, `/admin/specs/${first}`);
  await page.locator(byRole('link', 'Open v2')).click();
  await page.locator('::-p-xpath(//h1[normalize-space()="lobby v2.pdf"])').wait();
  await page.locator('::-p-text(1 section changed, 2 unchanged.)').wait();
  const marked = () =>
    page.$$eval('ol[aria-label=Changes] :is(ins, del)', (marks) =>
      marks.map(({ tagName, textContent }) => `${tagName} ${textContent}`),
    );
  expect(await marked()).toEqual(['DEL 90', 'INS 100']);
  await expectFitForAll(page);

  // The next version is uploaded from the page and compared with an older one.
  await page.locator(byRole('button', 'Upload new version…')).click();
  await page.locator('::-p-text(The older version stays readable.)').wait();
  await expectFitForAll(page);
  // If the response is lost, the page cannot tell whether the file was stored. Sending it again does not add the version
  // twice.
  expectErrors(/ERR_CONNECTION_RESET/);
  const network = await page.createCDPSession();
  network.once('Fetch.requestPaused', async ({ requestId }) => {
    await network.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' });
    await network.send('Fetch.disable');
  });
  const patterns = [{ urlPattern: '*/api/admin/specs/upload', requestStage: 'Response' as const }];
  await network.send('Fetch.enable', { patterns });
  const final = await pdf('Walls are oak.', 'Doors are 90 cm wide.', 'Light.');
  await chooseFile(page, files.path, 'final.pdf', final);
  await page.locator('::-p-xpath(//*[@role="alert"][starts-with(., "final.pdf: ")])').wait();
  await chooseFiles(page, 'body', join(files.path, 'final.pdf'));
  await page.locator('::-p-xpath(//h1[normalize-space()="final.pdf"])').wait();
  await page.locator('::-p-text(1 section changed, 1 added, 2 unchanged.)').wait();
  await page.locator('::-p-xpath(//label[normalize-space()="Compared with"])').click();
  await page.locator(byRole('option', 'v1 · lobby.pdf')).click();
  await page.locator('::-p-text(1 section added, 3 unchanged.)').wait();

  // Editing one version changes all versions, and can be undone.
  await page.locator(byRole('button', 'Edit…')).click();
  await page.locator(byRole('textbox', 'Property (optional)')).fill('Grand Hotel');
  await page.locator(byRole('button', 'Save')).click();
  await page.locator('::-p-xpath(//dd[normalize-space()="Grand Hotel"])').wait();
  await page.locator(byRole('button', 'Undo')).click();
  await page.locator('::-p-text(The change was undone.)').wait();
  await page.waitForSelector('::-p-xpath(//dd[normalize-space()="Grand Hotel"])', { hidden: true });
});
