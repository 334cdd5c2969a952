// @module-tag extended
import { beforeAll, expect, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/support/api';
import { signIn } from '@/tests/app/support/people';
import { expectFitForAll, seriousFindings } from './support/axe';
import { desktop, openBrowser, phone } from './support/open-browser';
import { byRole, isLive } from './support/spec-pages';
import {
  jobRow,
  jobTitle,
  newProject,
  openStudio,
  promptCard,
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

test('the projects, the form of a new image, and the page for a missing project are accessible', async () => {
  const projectId = await newProject(
    member,
    'A name that takes more than one line on a phone, and then some',
  );
  const page = await open();
  await openStudio(page, email, projectId);
  await page.locator(byRole('button', 'Generate')).click();
  await page.locator('textarea[aria-invalid=true]').wait();
  await expectFitForAll(page);
  // On a phone, the form's chips fit in one row.
  await page.setViewport(phone);
  const tops = await page.$$eval('main form button[aria-haspopup]', (chips) =>
    chips.map((chip) => chip.getBoundingClientRect().top),
  );
  expect([tops.length, new Set(tops).size]).toEqual([6, 1]);
  await page.setViewport(desktop);
  await page.locator(byRole('button', 'Size')).click();
  // The sizes are labeled radio buttons, and the arrow keys move between them.
  await page.waitForFunction("document.activeElement.matches('[role=dialog] input[type=radio]:checked')");
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction("document.activeElement.labels[0].textContent === 'Landscape 1536 × 1024'");
  await page.locator(byRole('button', 'Size 1536 × 1024')).wait();
  await page.locator('[role=dialog] label:has(input[value=custom])').click();
  await page.locator(byRole('textbox', 'Width')).wait();
  await page.locator('[role=dialog] label:has(input[value=""])').click();
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.locator(byRole('button', 'Members')).click();
  await page.locator(`::-p-xpath(//*[@role="dialog"]//*[contains(., "${email}")])`).wait();
  // The only owner cannot leave; the dialog states the reason.
  await page.waitForSelector('[role=dialog] button[aria-label="Leave project"]:disabled');
  await page.locator('::-p-text(A project needs at least one owner.)').wait();
  await page.type('[role=dialog] input[name=email]', 'admin@atelier.test');
  await page.keyboard.press('Enter');
  await page.locator('::-p-text(admin@atelier.test was added.)').wait();
  await page.waitForFunction(
    "document.activeElement.name === 'email' && document.activeElement.value === ''",
  );
  // The dialog does not add a person who is already a member, because that would only change the person's role.
  await page.type('[role=dialog] input[name=email]', email);
  await page.keyboard.press('Enter');
  await page.locator(`::-p-text(${email} is already a member.)`).wait();
  expect(await page.$('::-p-text(was added.)')).toBeNull();
  await expectFitForAll(page, [phone]);

  await goTo(page, '/projects');
  await expectFitForAll(page);
  await page.locator(byRole('button', 'New project')).click();
  await page.waitForFunction("document.activeElement.matches('[role=dialog] input')");
  expect(await seriousFindings(page)).toEqual([]);

  expectErrors(/status of 404/);
  expect(await goTo(page, '/projects/00000000-0000-4000-8000-000000000000/studio')).toBe(404);
  await expectFitForAll(page, [phone]);
});

test('jobs in each state, a conversation, a large image, its region, and a comparison are accessible', async () => {
  const projectId = await newProject(member, 'Fit');
  const { jobId } = await startJob(
    member,
    projectId,
    'A foyer with a very-long-word-that-does-not-wrap-anywhere-at-all',
  );
  for (const [prompt, status] of [
    ['A lift lobby [fail]', 'failed'],
    ['A roof bar [silent]', 'running'],
  ] as const) {
    await startJob(member, projectId, prompt, status);
  }
  const page = await open();
  await openStudio(page, email, projectId, `?job=${jobId}`);
  await showsImages(page, 1);
  await expectFitForAll(page);

  await page.locator(byRole('button', 'More for image 1.1')).click();
  await page.locator(byRole('menuitem', 'Compare …')).click();
  await page.locator(byRole('button', 'Compare with image 1.2')).click();
  await page.locator('input[type=range]').wait();
  await expectFitForAll(page, [phone]);
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.locator(byRole('button', 'Open image 1.2')).click();
  await page.waitForFunction("document.querySelector('[role=dialog] img')?.naturalWidth > 0");
  await expectFitForAll(page);
  await page.locator('[role=dialog] button[aria-label=Compare]').click();
  await page.locator(byRole('button', 'Show image 1.3')).click();
  await page.locator('[role=dialog] input[type=range]').wait();
  await expectFitForAll(page, [phone]);
  await page.locator(byRole('button', 'Stop comparing')).click();
  await page.locator('[role=dialog] button[aria-label="Edit a region"]').click();
  await page.waitForSelector('[role=application]');
  await expectFitForAll(page, [phone]);
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });

  for (const [prompt, status] of [
    ['A lift lobby [fail]', 'failed'],
    ['A roof bar [silent]', 'running'],
  ] as const) {
    await page.locator(jobRow(prompt, status)).click();
    await page.locator(jobTitle(prompt)).wait();
    await page.locator(promptCard(1, status)).wait();
    await expectFitForAll(page, [desktop]);
  }
  await page.reload();
  await isLive(page);
  await expectFitForAll(page, [phone]);

  await startJob(member, projectId, 'A porch [broken]', 'queued');
  await page.locator(jobRow('A porch [broken]')).click();
  await page.locator('::-p-text(The image service is not responding.)').wait();
  await expectFitForAll(page, [phone]);
  await page.locator(byRole('button', 'Cancel')).click();
  await page.locator(promptCard(1, 'canceled')).wait();

  await page.locator(jobRow('A foyer with a very-long-word-that-does-not-wrap-anywhere-at-all')).click();
  await showsImages(page, 1);
  await page.locator(byRole('button', 'Rename')).click();
  await page.waitForSelector('[role=dialog] input[name=name]');
  await expectFitForAll(page, [phone]);
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.locator(byRole('button', 'Swap materials of image 1.4')).click();
  await page.waitForFunction("document.querySelectorAll('[role=dialog] img').length > 5");
  await expectFitForAll(page, [phone]);
});
