// @module-tag extended
import type { HTTPRequest } from 'puppeteer-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { messagesResponse } from '@/lib/image-gen/schema';
import { project } from '@/lib/projects/schema';
import { type Api, apiAt } from '@/tests/app/support/api';
import { signIn } from '@/tests/app/support/people';
import { expectFitForAll } from './support/axe';
import { openMaterials, searchField } from './support/material-pages';
import { desktop, openBrowser, phone } from './support/open-browser';
import { byRole, isLive, openAs } from './support/spec-pages';
import {
  jobRow,
  newProject,
  openStudio,
  promptCard,
  showsImage,
  showsImages,
  startJob,
} from './support/studio-pages';

const { url, env } = inject('atelier');
const { open, goTo, expectErrors } = openBrowser();
const email = 'member@atelier.test';
let member: Api;

beforeAll(async () => {
  member = apiAt(url, (await signIn(env, email)).headers);
});

test('studio, gallery and materials are accessible while they are empty, load, fail, wait, and are offline', async () => {
  const projectId = await newProject(member, 'States');
  const page = await open();
  await openAs(page, email, `/projects/${projectId}/gallery`);
  await page.locator('::-p-text(No images yet.)').wait();
  await expectFitForAll(page);
  await goTo(page, `/projects/${projectId}/gallery?starred=true`);
  await page.locator('::-p-text(No image matches these filters)').wait();
  await expectFitForAll(page, [phone]);

  await startJob(member, projectId, 'A quiet lobby');
  let line: 'slow' | 'broken' | 'open' = 'open';
  const held: HTTPRequest[] = [];
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const isHeld =
      line !== 'open' && /\/api\/(image-gen|matlib\/search|projects\/[^/]+\/gallery)/.test(request.url());
    if (!isHeld) void request.continue();
    else if (line === 'slow') held.push(request);
    else void request.respond({ status: 503, contentType: 'application/problem+json', body: '{}' });
  });
  await goTo(page, `/projects/${projectId}/studio`);
  await isLive(page);
  line = 'slow';
  await page.locator(jobRow('A quiet lobby')).click();
  await page.waitForSelector('main [role=status][aria-label=Loading]');
  await expectFitForAll(page, [phone]);
  expectErrors(/status of 503/);
  line = 'broken';
  for (const request of held.splice(0)) await request.respond({ status: 503, body: '{}' });
  await page.locator(byRole('button', 'Try again')).wait();
  // The images could not be loaded, so there is nothing to refine.
  expect(await page.$('textarea[aria-label="What should change"]')).toBeNull();
  await expectFitForAll(page);
  line = 'open';
  await page.locator(byRole('button', 'Try again')).click();
  await showsImages(page, 1);

  await goTo(page, `/projects/${projectId}/gallery`);
  await isLive(page);
  line = 'slow';
  await page.locator(byRole('button', 'Starred')).click();
  await page.waitForSelector('main [role=status][aria-label=Loading]');
  await expectFitForAll(page, [phone]);
  line = 'broken';
  for (const request of held.splice(0)) await request.respond({ status: 503, body: '{}' });
  await page.locator('::-p-text(The images could not be loaded)').wait();
  await expectFitForAll(page, [phone]);
  line = 'open';
  await openMaterials(page);
  line = 'broken';
  await page.locator(searchField).fill('oak');
  await page.locator('::-p-text(could not be loaded)').wait();
  await expectFitForAll(page);
  line = 'open';
  await openStudio(page, email, projectId);

  // The workflow service has received the trigger but has not responded yet, so the job is queued.
  const queued = await startJob(member, projectId, 'A stair hall [hang]', 'queued');
  await page.locator(jobRow('A stair hall [hang]')).click();
  await page.locator(promptCard(1, 'queued')).wait();
  await expectFitForAll(page, [phone]);
  await member(`/api/image-gen/jobs/${queued.jobId}/cancel`, { method: 'POST' });
  await page.locator(promptCard(1, 'canceled')).wait();
  await expectFitForAll(page);

  expectErrors(/ERR_INTERNET_DISCONNECTED/, /WebSocket/);
  await page.setOfflineMode(true);
  await page.locator('::-p-text(You are offline)').wait();
  await expectFitForAll(page);
});

test('the dialogs of projects and images are accessible', async () => {
  const projectId = await newProject(member, 'Dialogs');
  const { jobId } = await startJob(member, projectId, 'A long gallery');
  const { name } = project.parse((await member(`/api/projects/${projectId}`)).body);
  const page = await open();
  const close = async () => {
    await page.keyboard.press('Escape');
    await page.waitForSelector('[role=dialog]', { hidden: true });
  };
  await openAs(page, email, '/projects');
  await page.locator(byRole('button', 'New project')).click();
  await page.waitForSelector('[role=dialog] input');
  await page.keyboard.press('Enter');
  await page.locator('::-p-text(Enter a name.)').wait();
  // Only the border of an empty field turns red, because a red placeholder would look like an invalid value.
  const [placeholder, problem] = (await page.evaluate(`[
    getComputedStyle(document.querySelector('[role=dialog] input'), '::placeholder').color,
    getComputedStyle(document.querySelector('[role=dialog] .mantine-InputWrapper-error')).color,
  ]`)) as string[];
  expect(placeholder).not.toBe(problem);
  await expectFitForAll(page);
  await close();
  for (const item of ['Rename', 'Delete']) {
    await page.locator(byRole('button', `More for ${name}`)).click();
    await page.locator(byRole('menuitem', item)).wait();
    await expectFitForAll(page, [desktop]);
    await page.locator(byRole('menuitem', item)).click();
    await page.waitForSelector('[role=dialog] input');
    await expectFitForAll(page);
    await close();
  }

  await openStudio(page, email, projectId, `?job=${jobId}`);
  await showsImage(page, '1.1');
  await page.locator(byRole('button', 'More for image 1.1')).click();
  await page.locator(byRole('menuitem', 'Add to document')).click();
  await page.waitForSelector('[role=dialog] input');
  await expectFitForAll(page);
  await close();
  await page.locator(byRole('button', 'Keyboard shortcuts')).click();
  await page.waitForSelector('[role=dialog] table');
  await expectFitForAll(page);
  await close();
  await page.locator(byRole('button', 'Materials')).click();
  await page.waitForFunction("document.querySelectorAll('[role=dialog] img').length > 5");
  await expectFitForAll(page);
});

test('a conversation on a phone does not move while it loads', async () => {
  const projectId = await newProject(member, 'Still');
  const { jobId } = await startJob(member, projectId, 'A boot room');
  const chat = messagesResponse.parse((await member(`/api/image-gen/jobs/${jobId}/messages`)).body);
  const json = { jobId, prompt: 'Warmer light', variantId: chat.variants[1]?.variant_id };
  expect((await member('/api/image-gen/messages', { json })).status).toBe(202);
  const page = await open(phone);
  await page.evaluateOnNewDocument(`
    window.moved = 0;
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.moved += value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  await openStudio(page, email, projectId, `?job=${jobId}`);
  await page.locator(promptCard(2, 'succeeded')).wait();
  await page.reload();
  await isLive(page);
  await showsImages(page, 2);
  expect(await page.evaluate('window.moved')).toBeLessThan(0.02);
});

test('wide tiles show the images themselves, and a phone shows names and actions without cutting them off', async () => {
  const projectId = await newProject(member, 'Fine');
  const { jobId } = await startJob(member, projectId, 'A sauna');
  const page = await open({ width: 1440, height: 900 });
  await openStudio(page, email, projectId, `?job=${jobId}`);
  await showsImages(page, 1);
  await page.locator(byRole('button', 'More for image 1.1')).click();
  await page.locator(byRole('menuitem', 'Swap materials …')).click();
  await page.locator('[role=dialog] ul[aria-label="Library materials"] button').click();
  await page.locator('[role=dialog] input[placeholder="the floor"]').fill('the bench');
  await page.locator(byRole('button', 'Generate')).click();
  await page.waitForSelector('button[aria-label^="Open the image with"] img');
  // The tiles are wider than a thumbnail, so the browser loads the images instead of thumbnails.
  await page.waitForFunction(`(() => {
    const images = [...document.querySelectorAll('main ul button img')];
    return images.length >= 2
      && images.every(({ clientWidth, complete, currentSrc, src }) => clientWidth > 512 && complete && currentSrc !== src);
  })()`);

  await page.setViewport(phone);
  await goTo(page, `/projects/${projectId}/gallery`);
  await isLive(page);
  expect(await page.$eval('header h1', (title) => title.scrollWidth <= title.clientWidth)).toBe(true);
  await page.locator(byRole('button', 'Select image 1.1')).click();
  const bar = await page.waitForSelector('section[aria-label="Selected images"]');
  expect((await bar?.boundingBox())?.height).toBeLessThan(120);
  await page.locator(byRole('button', 'Members')).click();
  const lines = `[...document.querySelectorAll('[role=dialog] li p')].find(({ textContent }) =>
    textContent.startsWith('${email}'))`;
  await page.waitForFunction(`${lines} !== undefined`);
  expect(await page.evaluate(`${lines}.getClientRects().length && ${lines}.clientHeight < 30`)).toBe(true);
});
