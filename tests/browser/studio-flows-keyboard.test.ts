// @module-tag extended
import type { Page } from 'puppeteer-core';
import { beforeAll, inject, test } from 'vitest';
import { project } from '@/lib/projects/schema';
import { type Api, apiAt } from '@/tests/app/support/api';
import { signIn } from '@/tests/app/support/people';
import { openBrowser } from './support/open-browser';
import { isLive, openAs } from './support/spec-pages';
import {
  newProject,
  openStudio,
  promptCard,
  showsImage,
  showsImages,
  startJob,
} from './support/studio-pages';
import { tabTo } from './support/tab-to';

const { url, env } = inject('atelier');
const { open } = openBrowser();
const email = 'member@atelier.test';
let member: Api;

beforeAll(async () => {
  member = apiAt(url, (await signIn(env, email)).headers);
});

const focusIs = (label: string) => `document.activeElement.getAttribute('aria-label') === '${label}'`;
const textIs = (text: string) => `document.activeElement.textContent === '${text}'`;

/** Tabs to the element with this name and presses Enter. */
async function enter(page: Page, name: string, direction?: 'back'): Promise<void> {
  await tabTo(page, name, direction);
  await page.keyboard.press('Enter');
}

/** Chooses an item of the open menu with the arrow keys and Enter. */
async function chooseItem(page: Page, item: string): Promise<void> {
  await page.waitForFunction("document.activeElement.matches('[role=menuitem]')");
  for (let n = 0; n < 12 && !(await page.evaluate(textIs(item))); n += 1) {
    await page.keyboard.press('ArrowDown');
  }
  await page.waitForFunction(textIs(item));
  await page.keyboard.press('Enter');
}

/** Evaluates to true if the focused element is inside the window and nothing covers it. */
const isInView = `(() => {
  const { x, y, width, height } = document.activeElement.getBoundingClientRect();
  const points = [4, height / 2, height - 4].map((down) => document.elementFromPoint(x + width / 2, y + down));
  return points.every((point) => document.activeElement.contains(point));
})()`;

test('a region is painted and refined, and materials are swapped and added to the document, by keyboard alone', async () => {
  const projectId = await newProject(member, 'Hands off');
  const { jobId } = await startJob(member, projectId, 'A boathouse');
  const page = await open();
  await openStudio(page, email, projectId, `?job=${jobId}`);
  await showsImages(page, 1);
  await enter(page, 'Open image 1.2');
  await page.waitForFunction("document.querySelector('[role=dialog] h2')?.textContent === 'Image 1.2'");
  await enter(page, 'Edit a region');
  await page.waitForFunction("document.activeElement.matches('[role=application]')");
  await page.keyboard.press('Space');
  for (let n = 0; n < 6; n += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await enter(page, 'Use region', 'back');
  await page.waitForFunction(focusIs('What should change'));
  await page.locator('::-p-text(Refining a region of 1.2)').wait();
  await page.keyboard.type('A red boat');
  await page.keyboard.press('Enter');
  await page.locator(promptCard(2, 'succeeded', 'A red boat')).wait();
  await showsImage(page, '2.4');

  await page.focus('button[aria-label="More for image 2.4"]');
  await page.keyboard.press('Enter');
  await chooseItem(page, 'Swap materials …');
  await page.waitForFunction("document.activeElement.name === 'where'");
  await page.keyboard.type('the floor');
  const material = await page.waitForSelector('[role=dialog] ul[aria-label="Library materials"] button');
  await tabTo(page, (await material?.evaluate(({ ariaLabel }) => ariaLabel)) ?? '');
  await page.keyboard.press('Space');
  await page.waitForSelector('ul[aria-label="Selected materials"] li');
  // The dialog's footer, which shows the selection, does not cover the focused material.
  const others = await page.$$eval('ul[aria-label="Library materials"] button', (all) => all.slice(1).length);
  for (let n = 0; n < others; n += 1) {
    await page.keyboard.press('Tab');
    await page.waitForFunction(isInView);
  }
  await enter(page, 'Generate');
  await page.waitForFunction(textIs('Materials for the floor'));
  await page.waitForSelector('button[aria-label^="Open the image with"] img');
  await enter(page, 'Add to document');
  await page.locator('::-p-text(Added as a new page)').wait();
});

test('images of the gallery are starred, downloaded, added, shared, deleted and restored by keyboard alone', async () => {
  const projectId = await newProject(member, 'Selection');
  await startJob(member, projectId, 'An orangery');
  const page = await open();
  await openAs(page, email, `/projects/${projectId}/gallery`);
  await isLive(page);
  await page.waitForFunction("document.querySelectorAll('[data-id]').length === 4");
  await page.focus('[data-id]');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await page.locator('::-p-text(2 images selected)').wait();
  await enter(page, 'Star');
  await page.waitForFunction(
    "document.querySelectorAll('li [aria-pressed=true][aria-label^=Star]').length === 2",
  );
  // Headless Chromium has no folder for downloads, so only record the file name.
  await page.evaluate(
    'HTMLAnchorElement.prototype.click = function () { window.downloaded = this.download; };',
  );
  await enter(page, 'Download');
  await page.waitForFunction("window.downloaded?.endsWith('.zip')");
  await enter(page, 'Add to document');
  await page.waitForSelector('[role=dialog] input');
  await enter(page, 'Add');
  await page.locator('::-p-text(Added as a new page)').wait();
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.waitForFunction(textIs('Add to document'));
  await enter(page, 'Share');
  await page.waitForFunction("document.activeElement.matches('[role=dialog] input[name=name]')");
  await page.keyboard.type('For the client');
  await page.keyboard.press('Enter');
  await page.locator('::-p-text(Copy the link now)').wait();
  await enter(page, 'Done');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.waitForFunction(textIs('Share'));
  await enter(page, 'Delete');
  await page.waitForFunction("document.querySelectorAll('[data-id]').length === 2");

  await page.focus('input[type=radio][value=all]');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('button[aria-label^="Restore image"]');
  await page.focus('[data-id]');
  const restore = await page.$eval('button[aria-label^="Restore image"]', ({ ariaLabel }) => ariaLabel ?? '');
  await enter(page, restore);
  await page.waitForFunction("document.querySelectorAll('[data-id]').length === 1");
});

test('a project is renamed, archived and brought back by keyboard alone', async () => {
  const projectId = await newProject(member, 'Kept');
  const { name } = project.parse((await member(`/api/projects/${projectId}`)).body);
  const renamed = `${name} again`;
  const page = await open();
  await openAs(page, email, '/projects');
  const card = `a[href="/projects/${projectId}/studio"]`;
  await page.focus(card);
  // Any key press preloads the dialogs. A preloaded dialog can open while the menu is still closing. Even then, the
  // focus must return to the menu's button when the dialog closes.
  await page.keyboard.press('Shift');
  await page.waitForNetworkIdle();
  await enter(page, `More for ${name}`);
  await chooseItem(page, 'Rename');
  await page.waitForFunction(`document.activeElement.matches('[role=dialog] input[name=name]')`);
  await page.keyboard.press('End');
  await page.keyboard.type(' again');
  await page.keyboard.press('Enter');
  await page.waitForFunction(`document.querySelector('${card}')?.textContent === '${renamed}'`);
  await page.waitForFunction(focusIs(`More for ${renamed}`));
  await page.keyboard.press('Enter');
  await chooseItem(page, 'Archive');
  await page.waitForSelector(card, { hidden: true });
  await page.waitForFunction('document.activeElement !== document.body');

  await page.focus('input[type=radio][value=active]');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector(`a[href="/projects/${projectId}/gallery"]`);
  await page.focus(`a[href="/projects/${projectId}/gallery"]`);
  await enter(page, `More for ${renamed}`);
  await chooseItem(page, 'Unarchive');
  await page.waitForSelector(`a[href="/projects/${projectId}/gallery"]`, { hidden: true });
  await page.focus('input[type=radio][value=archived]');
  await page.keyboard.press('ArrowLeft');
  await page.waitForSelector(card);
});
