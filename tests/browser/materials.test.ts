import type { HTTPRequest } from 'puppeteer-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { project } from '@/lib/projects/schema';
import { type Api, apiAt } from '@/tests/app/support/api';
import { signIn } from '@/tests/app/support/people';
import { expectAccessible, expectFitForAll, expectFitForTwo, lookAs } from './support/axe';
import { storedDocument } from './support/document-pages';
import {
  card,
  countShown,
  hasResponse,
  namesShown,
  openMaterials,
  searchField,
  shownInDialog,
} from './support/material-pages';
import { desktop, openBrowser, phone } from './support/open-browser';
import { byRole, isLive } from './support/spec-pages';
import { jobsOf, newProject, promptCard } from './support/studio-pages';
import { tabTo } from './support/tab-to';

const { url, env } = inject('atelier');
const { open, goTo } = openBrowser();
let member: Api;

beforeAll(async () => {
  member = apiAt(url, (await signIn(env, 'member@atelier.test')).headers);
});

test('a search with typos finds the intended materials, filters narrow it, and each step can be undone with Back', {
  tags: ['extended'],
}, async () => {
  const page = await open();
  await openMaterials(page);
  const all = await countShown(page);
  expect(all).toBeGreaterThan(200);
  await page.evaluate("window.sameDocument = 'yes'");

  await page.locator(searchField).fill('carara marbel');
  await hasResponse(page, { q: 'carara marbel' });
  await page.locator('::-p-text(No exact match for “carara marbel”. Showing similar results.)').wait();
  expect((await namesShown(page)).slice(0, 2).every((name) => name.includes('Carrara Marble'))).toBe(true);

  await page.locator(searchField).fill('marble');
  await hasResponse(page, { q: 'marble' });
  const marbles = await countShown(page);
  expect(marbles).toBeLessThan(all);
  await page.locator('::-p-xpath(//button[@aria-pressed="false"][span[1]="Wall"])').click();
  await hasResponse(page, { q: 'marble', categories: 'wall' });
  const walls = await countShown(page);
  expect(walls).toBeLessThan(marbles);
  // Colors are analyzed in the background, and the counts update automatically until all are known.
  await page.waitForFunction("!document.querySelector('main').textContent.includes('Analyzing colors')");
  // A swatch without matches keeps its full color, and can still be clicked.
  const opacities = await page.$$eval('button[data-empty=true]:enabled', (swatches) =>
    swatches.map((swatch) => getComputedStyle(swatch).opacity),
  );
  expect(new Set(opacities)).toEqual(new Set(['1']));
  await page.locator('button[aria-label^="White, "]:not([data-empty=true])').click();
  await hasResponse(page, { q: 'marble', categories: 'wall', color: 'white' });
  const white = await countShown(page);
  expect(white).toBeGreaterThan(0);
  expect(white).toBeLessThan(walls);
  for (const name of await namesShown(page)) expect(name).toMatch(/Marble Wall/);

  await page.goBack();
  await hasResponse(page, { q: 'marble', categories: 'wall', color: '' });
  expect(await countShown(page)).toBe(walls);
  await page.goBack();
  await hasResponse(page, { q: 'marble', categories: '' });
  expect(await countShown(page)).toBe(marbles);
  await page.goForward();
  await page.goForward();
  await hasResponse(page, { q: 'marble', categories: 'wall', color: 'white' });
  expect(await page.evaluate('window.sameDocument')).toBe('yes');
  // The URL restores the same results.
  const names = await namesShown(page);
  await page.reload();
  await hasResponse(page);
  expect(await namesShown(page)).toEqual(names);
  expect(await page.$eval(searchField, (field) => (field as HTMLInputElement).value)).toBe('marble');
});

test('a material picked in its details is chosen from the tray by typing @ in the studio, and becomes part of the job', async () => {
  const projectId = await newProject(member, 'Foyer');
  const page = await open();
  await openMaterials(page, '?q=carrara+marble');
  const [name = ''] = await namesShown(page);
  await page.locator(card(name)).click();
  await page.waitForFunction(shownInDialog(name));
  const id = new URL(page.url()).searchParams.get('material');
  await page.locator('::-p-xpath(//*[@role="dialog"]//a[contains(., "JPG") or contains(., "jpg")])').wait();
  await page.locator(byRole('button', 'Add to tray')).click();
  await page.locator(byRole('button', 'In tray')).wait();
  await expectFitForTwo(page);
  await page.goBack();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.locator('::-p-text(1 of 12 in tray)').wait();
  await page.locator(`button[aria-pressed=true][aria-label="Add ${name} to tray"]`).wait();

  await goTo(page, `/projects/${projectId}/studio`);
  await isLive(page);
  // All projects share one tray, so a prompt uses materials of the tray only after the user picks them.
  await page.locator('textarea[placeholder^="A quiet hotel lobby"]').click();
  const held: HTTPRequest[] = [];
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (held.length === 0 && request.url().includes('/api/matlib/search')) held.push(request);
    else void request.continue();
  });
  await page.keyboard.type('A foyer in stone @');
  const picked = `::-p-xpath(//ul[@aria-label="Materials in the tray"]//button[@aria-label="${name}"])`;
  /** Returns where the button is once it has stopped moving. */
  const place = async () => {
    await page.locator(picked).hover();
    return (await page.$(picked).then((button) => button?.boundingBox()))?.y;
  };
  await expect.poll(() => held.length).toBe(1);
  const before = await place();
  await held[0]?.continue();
  await page.locator('ul[aria-label="Library materials"] li').wait();
  // What has loaded does not move the button under the pointer.
  expect(await place()).toBe(before);
  await page.locator(picked).click();
  await expectAccessible(page);
  await page.locator(byRole('button', 'Done')).click();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page
    .locator(`::-p-xpath(//ul[@aria-label="Materials for this image"]//li[contains(., "${name}")])`)
    .wait();
  const generate = await page.waitForSelector(byRole('button', 'Generate'));
  // Scroll the button to where the tray does not cover it.
  await generate?.evaluate((button) => button.scrollIntoView({ block: 'center' }));
  // A locator clicks only once the button has stopped moving.
  await page.locator(byRole('button', 'Generate')).click();
  await page.locator(promptCard(1)).wait();
  await page.locator(`::-p-xpath(//section[@aria-label="Details"]//*[contains(., "${name}")])`).wait();
  const [job] = await jobsOf(member, projectId);
  expect(job?.materialPayload).toEqual([expect.objectContaining({ id, name })]);
});

test('a material that is still being added to a document when its dialog is closed gets a notification', {
  tags: ['extended'],
}, async () => {
  const projectId = await newProject(member, 'Belated');
  const { name } = project.parse((await member(`/api/projects/${projectId}`)).body);
  const page = await open();
  await openMaterials(page, '?q=carrara+marble');
  await page.locator('button[aria-label$=" to tray"]').click();
  await page.locator(byRole('button', 'Open tray')).click();
  await page.locator(byRole('button', 'Add to document')).click();
  await page.locator('::-p-xpath(//input[@id=//label[.="Project"]/@for])').click();
  await page.locator(byRole('option', name)).click();
  const held: HTTPRequest[] = [];
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (request.method() === 'PUT') held.push(request);
    else void request.continue();
  });
  await page.locator(byRole('button', 'Add')).click();
  await expect.poll(() => held.length).toBe(1);
  // Escape closes only the dialog, not the tray below it.
  await page.keyboard.press('Escape');
  await page.waitForSelector(byRole('button', 'Add'), { hidden: true });
  expect(await page.$(byRole('button', 'Add to document'))).not.toBeNull();
  await held[0]?.continue();
  await page.locator('::-p-text(Added as a new page)').wait();
  const { pages } = await storedDocument(member, projectId);
  expect(pages).toHaveLength(1);
  await page.locator(`a[href="/projects/${projectId}/document?page=${pages[0]?.id}"]`).wait();
});

test('the material library can be searched, browsed and picked from by keyboard alone, and the focus returns', {
  tags: ['extended'],
}, async () => {
  const page = await open();
  await openMaterials(page);
  await page.keyboard.press('/');
  await page.keyboard.type('seamless');
  await hasResponse(page, { q: 'seamless' });
  const ids = await page.$$eval('a[data-id]', (links) => links.map((link) => link.getAttribute('data-id')));
  const columns = (await page.evaluate(
    "getComputedStyle(document.querySelector('ul[aria-label=Materials]')).gridTemplateColumns.split(' ').length",
  )) as number;
  expect(ids.length).toBeGreaterThan(2 * columns);
  const isAt = (index: number) =>
    page.waitForFunction(`document.activeElement.dataset.id === '${ids[index]}'`);

  await page.keyboard.press('ArrowDown');
  await isAt(0);
  await page.keyboard.press('ArrowRight');
  await isAt(1);
  await page.keyboard.press('ArrowDown');
  await isAt(1 + columns);
  await page.keyboard.press('Home');
  await isAt(columns);
  await page.keyboard.press('End');
  await isAt(2 * columns - 1);
  await page.keyboard.press('ArrowUp');
  await isAt(columns - 1);
  const name = await page.evaluate<[], () => string>(() => document.activeElement?.textContent ?? '');
  await page.keyboard.press('p');
  await page.locator('::-p-text(1 of 12 in tray)').wait();
  await page.keyboard.press('Enter');
  await page.waitForFunction(shownInDialog(name));
  await page.locator(byRole('button', 'In tray')).wait();
  await page.keyboard.press('p');
  await page.locator(byRole('button', 'Add to tray')).wait();
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await isAt(columns - 1);
  // The whole grid has two tab stops: the current card and its tray button.
  await tabTo(page, `Add ${name} to tray`);
});

test('the material library is accessible: the grid, a material, the tray, and results of other types only', {
  tags: ['extended'],
}, async () => {
  const page = await open();
  await openMaterials(page, '?q=marble&color=white');
  await expectFitForAll(page);
  await page.locator('button[aria-label$=" to tray"]').click();
  await page.locator(byRole('button', 'Open tray')).click();
  await page.locator('::-p-xpath(//*[@role="dialog"]//button[.="Clear tray"])').wait();
  await expectFitForAll(page, [phone]);
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  const [name = ''] = await namesShown(page);
  await page.locator(card(name)).click();
  await page.locator('::-p-xpath(//*[@role="dialog"]//h4[.="Maps"])').wait();
  await expectFitForAll(page);
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });

  await lookAs(page, 'light', phone);
  await page.locator('::-p-xpath(//button[starts-with(., "Filters")])').click();
  await page.waitForSelector('button[aria-label^="White"]', { visible: true });
  await expectFitForAll(page, [phone]);
  await lookAs(page, 'light', desktop);
  await page.locator(searchField).fill('sunset');
  await page.locator('::-p-text(No textures match “sunset”)').wait();
  await page.locator(byRole('button', 'Clear filters')).click();
  const others = await page.waitForSelector(
    '::-p-xpath(//button[starts-with(., "Show ") and contains(., " HDRIs")])',
  );
  await expectFitForAll(page);
  // No texture matches the word, but some HDRIs do.
  await others?.click();
  await hasResponse(page, { q: 'sunset', type: 'hdris', color: '' });
});
