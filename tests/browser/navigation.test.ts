// @module-tag extended
import type { HTTPRequest } from 'puppeteer-core';
import { expect, inject, test } from 'vitest';
import { apiAt } from '@/tests/app/support/api';
import { signIn } from '@/tests/app/support/people';
import { hasResponse } from './support/material-pages';
import { openBrowser, phone } from './support/open-browser';
import { byRole, openAs } from './support/spec-pages';
import { newProject } from './support/studio-pages';

const { url, env } = inject('atelier');
const { open, expectErrors } = openBrowser();
const email = 'member@atelier.test';

const isNavigation = (request: HTTPRequest) =>
  request.headers().rsc !== undefined && request.headers()['next-router-prefetch'] === undefined;

test('a slow page shows at once that it is loading, and a click without a connection stays in the app until the connection is back', async () => {
  const projectId = await newProject(apiAt(url, (await signIn(env, email)).headers), 'Slow line');
  const page = await open();
  await openAs(page, email, '/projects');
  let line: 'slow' | 'cut' | 'open' = 'slow';
  const held: HTTPRequest[] = [];
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (line === 'open' || !isNavigation(request)) void request.continue();
    else if (line === 'cut') void request.abort('connectionrefused');
    else held.push(request);
  });

  await page.locator(byRole('link', 'Materials')).click();
  await page.waitForSelector('[data-waits=false]');
  await expect.poll(() => held.length).toBeGreaterThan(0);
  expect(await page.$('::-p-xpath(//h1[.="Projects"])')).not.toBeNull();
  line = 'open';
  for (const request of held) await request.continue();
  await hasResponse(page);
  await page.waitForSelector('[data-waits]', { hidden: true });
  await page.locator(byRole('link', 'Projects')).click();
  await page.locator('::-p-xpath(//h1[.="Projects"])').wait();

  line = 'cut';
  expectErrors(/ERR_CONNECTION_REFUSED/);
  await page.locator(`a[href="/projects/${projectId}/studio"]`).click();
  await page.locator('::-p-text(The page opens as soon as the connection is back)').wait();
  expect(await page.$('::-p-xpath(//h1[.="Projects"])')).not.toBeNull();
  line = 'open';
  await page.waitForFunction(`location.pathname === '/projects/${projectId}/studio'`);
  await page.waitForSelector('::-p-text(No connection)', { hidden: true });
});

test('a dialog whose code is slow shows that it is loading, and one whose code cannot be loaded can be opened again', async () => {
  const page = await open();
  await openAs(page, email, '/projects');
  let line: 'slow' | 'cut' | 'open' = 'slow';
  const held: HTTPRequest[] = [];
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (line === 'open' || request.resourceType() !== 'script') void request.continue();
    else if (line === 'cut') void request.abort('connectionrefused');
    else held.push(request);
  });

  await page.locator(byRole('button', 'New project')).click();
  await page.waitForSelector('[role=status][aria-label=Loading]', { visible: true });
  line = 'cut';
  expectErrors(/ERR_CONNECTION_REFUSED/);
  for (const request of held) await request.abort('connectionrefused');
  await page.locator('::-p-text(This could not be opened)').wait();
  line = 'open';
  await page.locator(byRole('button', 'Try again')).click();
  await page.locator('::-p-text(You can add members later)').wait();
  await page.keyboard.press('Escape');
  await page.waitForSelector(byRole('dialog', 'New project'), { hidden: true });
  expect(await page.evaluate('document.activeElement.textContent')).toBe('New project');
});

test('on a phone, the navigation closes when a page opens, and stays closed after going back', async () => {
  const page = await open(phone);
  await openAs(page, email, '/projects');
  await page.locator(byRole('button', 'Open navigation')).click();
  await page.locator(byRole('link', 'Materials')).click();
  await page.locator('::-p-xpath(//h1[.="Materials"])').wait();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.goBack();
  await page.locator('::-p-xpath(//h1[.="Projects"])').wait();
  await page.locator(byRole('button', 'Open navigation')).wait();
  expect(await page.$('[role=dialog]')).toBeNull();
});
