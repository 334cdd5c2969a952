// @module-tag extended
import type { HTTPRequest, Page } from 'puppeteer-core';
import { beforeAll, expect, inject, test } from 'vitest';
import type { TextElement } from '@/lib/document/page-model';
import { type Api, apiAt, excerpt } from '@/tests/app/support/api';
import { onePage } from '@/tests/app/support/exports';
import { newAdmin, signIn } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { readSpec, report, unique, upload } from '@/tests/app/support/specs';
import { makePdf } from '@/tests/pdf/support/make-pdf';
import { expectFitForAll } from './support/axe';
import { openDocument, pressControl, savingIs, storedDocument, storePages } from './support/document-pages';
import { holdSpecs } from './support/hold-specs';
import { openBrowser } from './support/open-browser';
import { byRole } from './support/spec-pages';
import { newProject } from './support/studio-pages';
import { tabTo } from './support/tab-to';

holdSpecs('shared');
const { url, env } = inject('atelier');
const { open, expectErrors } = openBrowser();
const email = 'member@atelier.test';
let admin: Api;
let member: Api;
let brandName: string;
/** A word that appears only in the file names of the brand standards of this test file. */
let word: string;

/** The sections that follow “Doors” and “Floors” in the first standard. */
const others = Array.from({ length: 13 }, (_, n) => ({ title: `Finish ${n + 1}`, level: 2 }));

/** Uploads a PDF without an outline and reports sections for it. */
async function newStandard(fileName: string, sections: object[]): Promise<void> {
  const file = await makePdf({ sections: 2, outline: false });
  const id = await upload(admin, { brandName, file, fileName, propertyName: '[silent]' });
  await poll('the PDF was read', async () => (await readSpec(admin, id)).textState !== 'pending');
  const body = { spec_upload_id: id, status: 'completed', sections };
  const response = await report(apiAt(url), env.WEBHOOK_SECRET, body);
  expect(response.status, excerpt(response)).toBe(200);
}

beforeAll(async () => {
  admin = apiAt(url, (await newAdmin(env)).headers);
  member = apiAt(url, (await signIn(env, email)).headers);
  brandName = unique('Nordlys');
  word = unique('handbook').replaceAll(' ', '');
  await admin('/api/admin/brands', { json: { name: brandName } });
  await newStandard(`${word} doors.pdf`, [
    { title: 'Doors', page: 4, text: 'Doors are 100 cm wide.\nThey close by themselves.' },
    { title: 'Floors', page: 9, text: 'Oak, oiled.' },
    ...others,
  ]);
  await newStandard(`${word} empty.pdf`, []);
});

/** Creates a project with a one-page document, and opens the document. */
async function openPage(name: string): Promise<{ page: Page; projectId: string }> {
  const projectId = await newProject(member, name);
  await storePages(member, projectId, [onePage('Standards')]);
  const page = await open();
  await openDocument(page, email, projectId);
  return { page, projectId };
}

const waitForText = (page: Page, text: string) => page.locator(`::-p-text(${text})`).wait();

/** Returns a selector for a section's checkbox. */
const sectionField = (title: string) =>
  `::-p-xpath(//input[@type="checkbox"][@id=//label[starts-with(., "${title}")]/@for])`;

const insertedTexts = (elements: readonly { type: string }[]) =>
  elements
    .filter((element): element is TextElement => element.type === 'text')
    .map(({ blocks }) =>
      blocks.map((block) => (block.type === 'list' ? '' : block.runs.map(({ text }) => text).join(''))),
    );

test('sections of a brand standard are found, chosen and put on a page, also after failed requests', async () => {
  const { page, projectId } = await openPage('Mouse');
  let failing: RegExp | null = /\/standards\?/;
  let held: HTTPRequest | undefined;
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (failing?.test(request.url())) void request.abort('connectionrefused');
    else if (request.url().includes('slowword')) held = request;
    else void request.continue();
  });
  expectErrors(/ERR_CONNECTION_REFUSED/);

  await page.locator(byRole('button', 'Brand standard')).click();
  await waitForText(page, 'The brand standards could not be loaded');
  await expectFitForAll(page);
  failing = null;
  await page.locator(byRole('button', 'Try again')).click();
  await page.locator('ul[aria-label="Brand standards"] button').wait();

  const words = 'input[aria-label="Search brand standards"]';
  await page.locator(words).fill('slowword');
  await page.locator('[role=dialog] [role=status][aria-label=Loading]').wait();
  await poll('the search was requested', async () => held);
  await held?.continue();
  await waitForText(page, 'No brand standards match.');
  await expectFitForAll(page);

  await page.locator(words).fill(word);
  await waitForText(page, `${word} doors.pdf`);
  await page.locator('[role=dialog] input[aria-label=Brand]').fill(brandName);
  await page.locator(byRole('option', brandName)).click();
  await page.waitForFunction(
    'document.querySelectorAll(\'ul[aria-label="Brand standards"] li\').length === 2',
  );
  expect(await page.$$eval('ul[aria-label="Brand standards"] button:disabled', (all) => all.length)).toBe(1);
  await expectFitForAll(page);

  failing = /\/sections\?/;
  const choice = `::-p-xpath(//ul[@aria-label="Brand standards"]//button[contains(., "${word} doors.pdf")])`;
  await page.locator(choice).click();
  await waitForText(page, 'The sections could not be loaded');
  await expectFitForAll(page);
  failing = null;
  await page.locator(byRole('button', 'Try again')).click();
  await page.locator(sectionField('Floors')).click();
  await waitForText(page, '1 section selected');
  await page.locator(byRole('button', 'Back')).click();
  await waitForText(page, 'No sections selected');
  expect(await page.evaluate('document.activeElement.textContent')).toContain(`${word} doors.pdf`);

  // At most 12 sections can be selected, and they are inserted in the order of the standard.
  await page.locator(choice).click();
  await page.locator(sectionField('Floors')).click();
  await page.locator(sectionField('Doors')).click();
  for (const { title } of others.slice(0, 10)) await page.locator(sectionField(`${title}`)).click();
  await waitForText(page, '12 sections selected (maximum)');
  expect(await page.$eval(sectionField('Finish 13'), (field) => field.matches(':disabled'))).toBe(true);
  await expectFitForAll(page);
  for (const { title } of others.slice(0, 10).toReversed()) await page.locator(sectionField(title)).click();
  await page.locator(byRole('button', 'Insert')).click();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await savingIs(page, 'saved');
  const [stored] = (await storedDocument(member, projectId)).pages;
  expect(insertedTexts(stored?.elements ?? []).slice(-2)).toEqual([
    ['Doors', 'Doors are 100 cm wide.', 'They close by themselves.', `${word} doors.pdf, page 4, version 1`],
    ['Floors', 'Oak, oiled.', `${word} doors.pdf, page 9, version 1`],
  ]);
});

test('sections of a brand standard can be put on a page by keyboard alone', async () => {
  const { page, projectId } = await openPage('Keys');
  const focusedLabel = () => page.evaluate('document.activeElement.labels?.[0]?.textContent');
  await tabTo(page, 'Brand standard');
  await page.keyboard.press('Enter');
  await page.waitForFunction(
    "document.activeElement.getAttribute('aria-label') === 'Search brand standards'",
  );
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.waitForFunction("document.activeElement.getAttribute('aria-label') === 'Brand standard'");

  await page.keyboard.press('Enter');
  await page.waitForFunction(
    "document.activeElement.getAttribute('aria-label') === 'Search brand standards'",
  );
  await page.keyboard.type(`${word} doors`);
  await page.waitForFunction(
    'document.querySelectorAll(\'ul[aria-label="Brand standards"] li\').length === 1',
  );
  await tabTo(page, `${word} doors.pdf${brandName} · Lobby15 sections`);
  await page.keyboard.press('Enter');
  await page.waitForFunction(`document.activeElement.textContent === '${word} doors.pdf'`);
  await page.locator(sectionField('Doors')).wait();
  await page.keyboard.press('Tab');
  expect(await focusedLabel()).toBe('Doors (page 4)');
  await page.keyboard.press('Space');
  await waitForText(page, '1 section selected');
  await tabTo(page, 'Insert');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  // The new text element has the focus, so keyboard shortcuts act on it immediately.
  await page.waitForFunction("document.activeElement.getAttribute('aria-label')?.startsWith('Text: Doors')");
  await savingIs(page, 'saved');
  const count = async () =>
    (await storedDocument(member, projectId)).pages[0]?.elements.filter(({ type }) => type === 'text').length;
  const before = await count();
  await pressControl(page, 'z');
  await savingIs(page, 'saved');
  await poll('the text is gone', async () => (await count()) === (before ?? 0) - 1);
});
