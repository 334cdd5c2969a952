import type { Page } from 'puppeteer-core';
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { startReceiver } from '@/tests/app/kit/trigger-receiver';
import { type Api, apiAt } from '@/tests/app/support/api';
import { startJob, waitForJob } from '@/tests/app/support/image-jobs';
import { newAdmin } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { readSpec, report, unique, upload, waitForStatus } from '@/tests/app/support/specs';
import { makeProject } from '@/tests/app/support/team';
import { expectFitForAll } from './support/axe';
import { holdSpecs } from './support/hold-specs';
import { openBrowser } from './support/open-browser';
import { byRole, openAs } from './support/spec-pages';
import { tabTo } from './support/tab-to';

holdSpecs('shared');
const { url, env } = inject('atelier');
const { open, expectErrors } = openBrowser();
let admin: Api;

beforeAll(async () => {
  admin = apiAt(url, (await newAdmin(env)).headers);
});

async function openAsAdmin(path: string): Promise<Page> {
  const page = await open();
  await openAs(page, 'admin@atelier.test', path);
  return page;
}

test('the page of a spec shows its triggers and callbacks, and can retry the spec', {
  tags: ['extended'],
}, async () => {
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

test('the Workflow page lists the events of specs and image jobs, and can be filtered', {
  tags: ['extended'],
}, async () => {
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

  // A button keeps the focus while it waits for a response.
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

test('a callback that may be about an earlier run is held, and an administrator applies it', {
  tags: ['extended'],
}, async () => {
  const id = await upload(admin, { propertyName: '[silent]' });
  const failure = { spec_upload_id: id, status: 'failed', error: 'The PDF has no text.' };
  await report(apiAt(url), env.WEBHOOK_SECRET, failure);
  await admin('/api/admin/specs/retry', { json: { specUploadId: id } });
  await waitForStatus(admin, id, 'processing');
  await report(apiAt(url), env.WEBHOOK_SECRET, failure);
  const page = await openAsAdmin(`/admin/workflow?subject=${id}`);
  await page
    .locator('::-p-xpath(//li[contains(., "Callback, run 2: failed") and contains(., "Held")])')
    .wait();
  await page.locator('::-p-text(Apply it if it is about run 2.)').wait();
  await expectFitForAll(page);
  await page.locator(byRole('button', 'Apply: spec.pdf')).click();
  await page.locator('::-p-text(The callback was applied to spec.pdf.)').wait();
  await page.locator(byRole('button', 'Try again: spec.pdf')).wait();
  await page.waitForFunction(`!document.querySelector('[aria-label="Apply: spec.pdf"]')`);
  expect(await readSpec(admin, id)).toMatchObject({ status: 'failed', error: 'The PDF has no text.' });
});

test('an administrator tests the workflow, finds a rejected callback, and has events sent to an endpoint', {
  tags: ['extended'],
}, async () => {
  const page = await openAsAdmin('/admin/workflow?view=tests');
  await page.locator(byRole('button', 'Test the workflow')).click();
  await page.locator('::-p-text(Trigger accepted)').wait();
  await page.locator('::-p-text(Callback received: completed)').wait();
  await page.locator(byRole('button', 'Test the callback')).click();
  await page.locator('::-p-text(HTTP 200)').wait();
  await page.locator('::-p-text(This is a test: nothing was changed.)').wait();
  await expectFitForAll(page);

  await report(apiAt(url), 'a-wrong-secret', { spec_upload_id: crypto.randomUUID(), status: 'completed' });
  await page.locator(byRole('tab', 'Rejected callbacks')).click();
  await page.locator('::-p-text(The secret is missing or wrong.)').wait();
  await expectFitForAll(page);

  // Reject the first attempt to deliver each event.
  const receiver = await startReceiver(async ({ headers }, respond) => {
    const ids = receiver.received.map((each) => each.headers['webhook-id']);
    const isRepeat = ids.filter((id) => id === headers['webhook-id']).length > 1;
    respond({ status: isRepeat ? 204 : 422 });
  });
  onTestFinished(() => receiver.stop());
  const name = unique('Tracker');
  await page.locator(byRole('tab', 'Event endpoints')).click();
  await page.locator(byRole('button', 'Add endpoint')).click();
  // Submitting an invalid form moves the focus to its first error.
  await page.locator(byRole('button', 'Add')).click();
  await page.waitForFunction("document.activeElement === document.querySelector('[aria-invalid=true]')");
  await page.locator(byRole('textbox', 'Name')).fill(name);
  expectErrors(/status of 400 .*\/workflow\/endpoints/);
  await page.locator(byRole('textbox', 'URL')).fill('http://hooks.example.com/');
  await page.locator(byRole('button', 'Add')).click();
  await page.locator('::-p-text(must use https)').wait();
  await page.locator(byRole('textbox', 'URL')).fill(receiver.url);
  await page.locator(byRole('textbox', 'Header name')).fill('x-token');
  await page.locator('input[name="header.value"]').fill('the-value');
  await page.locator(byRole('button', 'Add')).click();
  await page.locator('::-p-text(Copy the secret now)').wait();
  await page.waitForFunction("document.activeElement.getAttribute('role') === 'alert'");
  await page.locator('::-p-text(whsec_)').wait();
  await expectFitForAll(page);
  await page.keyboard.press('Escape');
  await page.locator(byRole('button', 'Done')).click();
  await page.locator(byRole('button', `Edit: ${name}`)).click();
  await page.locator(byRole('textbox', 'Header name')).fill('x-key');
  await expectFitForAll(page);
  await page.locator(byRole('button', 'Save')).click();
  await page.locator('::-p-text(With the header x-key)').wait();

  const prompt = unique('A lobby [fail]');
  await waitForJob(admin, await startJob(admin, { projectId: await makeProject(admin), prompt }), 'failed');
  await page.locator(byRole('button', `Send again to ${name}: Image failed: ${prompt}`)).click();
  await poll('the second attempt', async () => {
    const mine = receiver.received.filter(({ body }) => body.toString().includes(prompt));
    return mine.length === 2 && new Set(mine.map(({ headers }) => headers['webhook-id'])).size === 1;
  });
  const mine = receiver.received.filter(({ body }) => body.toString().includes(prompt));
  expect(mine.map(({ headers }) => headers['x-key'])).toEqual(['the-value', 'the-value']);
  await page.locator(`::-p-xpath(//li[contains(., "${prompt}") and contains(., "Delivered")])`).wait();
  expect(await page.evaluate('document.body.innerText')).not.toContain('whsec_');
  await expectFitForAll(page);

  await page.locator(byRole('button', `Delete: ${name}`)).click();
  await page.locator(byRole('button', 'Delete')).click();
  await page.waitForFunction(`!document.querySelector('[aria-label="Delete: ${name}"]')`);
  await page.waitForFunction("document.activeElement.id === 'endpoints-title'");
});
