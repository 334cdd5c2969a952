import type { Page } from 'puppeteer-core';
import { beforeAll, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/api';
import { makeProject } from '@/tests/app/crew';
import { startJob, waitForJob } from '@/tests/app/image-jobs';
import { newAdmin } from '@/tests/app/people';
import { unique, upload, waitForStatus } from '@/tests/app/specs';
import { expectFitForAll } from './axe';
import { holdSpecs } from './hold-specs';
import { openBrowser } from './open-browser';
import { byRole, openAs } from './spec-pages';
import { tabTo } from './tab-to';

holdSpecs('shared');
const { url, env } = inject('atelier');
const { open } = openBrowser();
let admin: Api;

beforeAll(async () => {
  admin = apiAt(url, (await newAdmin(env)).headers);
});

async function openAsAdmin(path: string): Promise<Page> {
  const page = await open();
  await openAs(page, 'admin@atelier.test', path);
  return page;
}

test('a spec shows its triggers and callbacks, and can be retried there', async () => {
  const id = await upload(admin, { propertyName: '[fail-once]' });
  await waitForStatus(admin, id, 'failed');
  const page = await openAsAdmin(`/admin/specs/${id}`);
  await page.locator('::-p-text(Trigger, run 1, attempt 1)').wait();
  await page.locator('::-p-text(the workflow was told to fail)').wait();
  await expectFitForAll(page);
  await page.locator(byRole('button', 'Try again: spec.pdf')).click();
  await page.locator('::-p-text(Trigger, run 2, attempt 1)').wait();
  await page.locator('::-p-text(Callback, run 2: completed)').wait();
  await page.waitForFunction(
    `![...document.querySelectorAll('button')].some((b) => b.textContent === 'Try again')`,
  );
});

test('the page Workflow lists the events of specs and image jobs, and can be filtered', async () => {
  const projectId = await makeProject(admin);
  const [failing, drawn] = [unique('A lobby [fail]'), unique('A spa')];
  const [failed, done] = [
    await startJob(admin, { projectId, prompt: failing }),
    await startJob(admin, { projectId, prompt: drawn }),
  ];
  await waitForJob(admin, failed, 'failed');
  await waitForJob(admin, done, 'succeeded');
  const page = await openAsAdmin('/admin/workflow');
  await page.locator(`::-p-text(${drawn})`).wait();
  await expectFitForAll(page);

  // A button that waits for a response keeps the focus.
  await tabTo(page, 'Refresh');
  const read = page.waitForResponse((response) => response.url().includes('/api/admin/workflow/events'));
  await page.keyboard.press('Enter');
  await read;
  await page.waitForFunction("!document.querySelector('button[aria-busy]')");
  await page.waitForFunction("document.activeElement.textContent === 'Refresh'");

  await page.locator('::-p-text(Problems only)').click();
  await page.waitForFunction(`location.search === '?trouble=true'`);
  await page.waitForFunction(`!document.body.innerText.includes(${JSON.stringify(drawn)})`);
  await page.locator(`::-p-text(${failing})`).wait();

  await page.locator(byRole('link', `Show history of ${failing}`)).click();
  await page.waitForFunction(`location.search.includes('subject=${failed}')`);
  await page.locator(byRole('button', `Try again: ${failing}`)).click();
  await page.locator('::-p-text(Callback, run 2: failed)').wait();
  await page.locator('::-p-text(Trigger, run 2, attempt 1)').wait();
});
