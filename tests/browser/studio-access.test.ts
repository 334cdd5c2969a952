import type { Page } from 'puppeteer-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/support/api';
import { signIn } from '@/tests/app/support/people';
import { expectFitForAll } from './support/axe';
import { openBrowser } from './support/open-browser';
import { isLive, openAs } from './support/spec-pages';
import { jobRow, newProject, openStudio, promptCard, showsImages, startJob } from './support/studio-pages';

const { url, env } = inject('atelier');
const { open, goTo, expectErrors } = openBrowser();
const outsider = 'stranger@atelier.test';
let member: Api;

beforeAll(async () => {
  member = apiAt(url, (await signIn(env, 'member@atelier.test')).headers);
});

test('a stranger cannot learn that a project exists', { tags: ['extended'] }, async () => {
  const projectId = await newProject(member, 'Vault');
  const { jobId } = await startJob(member, projectId, 'The secret cellar [silent]', 'running');
  const page = await open();
  await openAs(page, outsider, '/projects');
  await page.locator('::-p-text(Projects)').wait();
  expect(await page.content()).not.toContain('Vault');
  expectErrors(/status of 404/);
  for (const path of ['/studio', `/studio?job=${jobId}`]) {
    expect(await goTo(page, `/projects/${projectId}${path}`)).toBe(404);
    await page.locator('::-p-text(Project not found)').wait();
    expect(await page.content()).not.toMatch(/Vault|secret cellar/);
  }
});

test('a job is not shown under the URL of another project', { tags: ['extended'] }, async () => {
  const theirs = await newProject(member, 'Vault');
  const { jobId } = await startJob(member, theirs, 'The secret cellar [silent]', 'running');
  const owner = apiAt(url, (await signIn(env, outsider)).headers);
  const page = await open();
  expectErrors(/status of 404/);
  await openStudio(page, outsider, await newProject(owner, 'Shed'), `?job=${jobId}`);
  await page.locator('::-p-text(Image not found)').wait();
  expect(await page.content()).not.toContain('secret cellar');
});

test('a viewer sees images as they are made, and cannot start, refine or cancel anything', async () => {
  const projectId = await newProject(member, 'Gallery', { [outsider]: 'viewer' });
  const { jobId } = await startJob(member, projectId, 'A sculpture hall [silent]', 'running');
  const page = await open();
  await openStudio(page, outsider, projectId);
  await page.locator('::-p-text(View only)').wait();
  await page.locator(jobRow('A sculpture hall [silent]', 'running')).click();
  await page.locator(promptCard(1, 'running')).wait();
  expect(await controls(page)).toEqual(toLookAt());
  await member(`/api/image-gen/jobs/${jobId}/cancel`, { method: 'POST' });
  await page.locator(promptCard(1, 'canceled')).wait();
  expect(await controls(page)).toEqual(toLookAt());

  await startJob(member, projectId, 'A light court');
  await page.locator(jobRow('A light court', 'succeeded')).click();
  await showsImages(page, 1);
  expect(await controls(page)).toEqual(toLookAt('1.1', '1.2', '1.3', '1.4'));
  await page.reload();
  await isLive(page);
  await showsImages(page, 1);
  expect(await controls(page)).toEqual(toLookAt('1.1', '1.2', '1.3', '1.4'));
});

test('a viewer opens a project from its card and lands on the gallery, which offers nothing that changes it', {
  tags: ['extended'],
}, async () => {
  const projectId = await newProject(member, 'Landing', { [outsider]: 'viewer' });
  await newProject(member, 'Later', { [outsider]: 'viewer' });
  await startJob(member, projectId, 'A light well');
  const page = await open();
  await openAs(page, outsider, '/projects');
  await page.locator('li time').wait();
  // The cards show the times that they are sorted by.
  const times = await page.$$eval('li time', (all) => all.map(({ dateTime }) => dateTime));
  expect(times).toEqual(times.toSorted().toReversed());
  await page.locator(`a[href="/projects/${projectId}/gallery"]`).click();
  await page.locator('::-p-text(View only: you can open, compare and download the images.)').wait();
  await page.waitForSelector('[aria-label="Select image 1.1"]');
  expect(await page.$('[aria-label^="Star image"]')).toBeNull();
  expect(await page.$('main [role=alert]')).toBeNull();
  await expectFitForAll(page);
});

/** Returns the names of the controls in the main part of the page. */
function controls(page: Page): Promise<string[]> {
  return page.$$eval('main :is(textarea, input, button)', (elements) =>
    elements.map((element) => (element.getAttribute('aria-label') ?? element.textContent ?? '').trim()),
  );
}

function toLookAt(...images: string[]): string[] {
  const tiles = images.flatMap((label) => [`Open image ${label}`, `More for image ${label}`]);
  const latest = images.at(-1);
  const details = latest
    ? [`Download image ${latest}`, `Copy image ${latest}`, `Copy prompt and seed of image ${latest}`]
    : [];
  return ['Keyboard shortcuts', 'Members', 'All images', ...tiles, ...details];
}
