import { beforeAll, expect, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/support/api';
import { signIn } from '@/tests/app/support/people';
import { openBrowser } from './support/open-browser';
import { newProject, openStudio, showsImages, startJob } from './support/studio-pages';
import { tabTo } from './support/tab-to';

const { url, env } = inject('atelier');
const { open } = openBrowser();
let member: Api;
let projectId: string;

beforeAll(async () => {
  member = apiAt(url, (await signIn(env, 'member@atelier.test')).headers);
  projectId = await newProject(member, 'Keys');
});

const focusIs = (label: string) => `document.activeElement.getAttribute('aria-label') === '${label}'`;
const dialogIs = (title: string) => `document.querySelector('[role=dialog] h2')?.textContent === '${title}'`;

test('a job can be started by keyboard, and the focus moves to it', async () => {
  const page = await open();
  await openStudio(page, 'member@atelier.test', projectId);
  await page.locator('textarea[placeholder^="A quiet hotel lobby"]').wait();
  await page.focus('textarea[placeholder^="A quiet hotel lobby"]');
  await page.keyboard.type('A spa with a cold pool');
  await page.keyboard.down('Control');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Control');
  await page.waitForFunction("document.activeElement.matches('h2')");
  expect(await page.evaluate('document.activeElement.textContent')).toBe('A spa with a cold pool');
  await showsImages(page, 1);
});

test('images can be viewed large one after the other and compared by keyboard', async () => {
  const { jobId } = await startJob(member, projectId, 'A bar in green marble');
  const page = await open();
  await openStudio(page, 'member@atelier.test', projectId, `?job=${jobId}`);
  await showsImages(page, 1);
  await tabTo(page, 'Open image 1.2');
  await page.keyboard.press('Enter');
  await page.waitForFunction(dialogIs('Image 1.2'));
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(dialogIs('Image 1.3'));
  await page.waitForFunction("document.querySelector('[role=dialog] img').naturalWidth > 0");
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(dialogIs('Image 1.1'));
  // Nothing is before the first.
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(dialogIs('Image 1.1'));
  await page.keyboard.press('Escape');
  await page.waitForFunction(focusIs('Open image 1.2'));

  await tabTo(page, 'More for image 1.2');
  await page.keyboard.press('Enter');
  await page.waitForFunction("document.activeElement.textContent === 'Open'");
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction(focusIs('More for image 1.2'));
  await tabTo(page, 'Compare with image 1.3');
  await page.keyboard.press('Enter');
  await page.waitForFunction(dialogIs('Images 1.2 and 1.3'));
  await page.waitForFunction(focusIs('Comparison slider'));
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction("document.activeElement.getAttribute('aria-valuetext') === '51 % of image 1.2'");
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
});
