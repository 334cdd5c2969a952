import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/api';
import { newAdmin } from '@/tests/app/people';
import { expectFitForAll, seriousFindings } from './axe';
import { desktop, openBrowser, phone } from './open-browser';
import { byRole, isLive, openSpecs, signIn, specRow } from './spec-pages';
import { emptyTheList, makeStudioList } from './studio-list';
import { takeTurns } from './take-turns';

takeTurns();
const { url, env } = inject('atelier');
const { open, goTo, expectErrors } = openBrowser();
const picture = join(import.meta.dirname, 'screenshots/specs.png') as `${string}.png`;
let admin: Api;

beforeAll(async () => {
  admin = apiAt(url, (await newAdmin(env)).headers);
});

test('what is wrong is found', async () => {
  const page = await open();
  await page.setContent('<main><button></button><p style="color: #bbb">pale</p></main>');
  const found = await seriousFindings(page);
  expect(found.map((finding) => finding.split(':')[0]).sort()).toEqual(
    expect.arrayContaining(['button-name', 'color-contrast']),
  );
});

test('sign-in, also with its complaints', async () => {
  const page = await open();
  await goTo(page, '/sign-in');
  await expectFitForAll(page);
  await page.locator(byRole('button', 'Sign in')).click();
  await page.locator('::-p-text(Enter the email address of your account)').wait();
  await expectFitForAll(page, [desktop]);
});

test('specs: none, a list, a menu, a question, one of them', async () => {
  await emptyTheList(admin);
  const page = await open();
  await openSpecs(page);
  await page.locator('::-p-text(No specs yet)').wait();
  await expectFitForAll(page);

  const specs = await makeStudioList(admin);
  await page.reload();
  await isLive(page);
  for (const { fileName, status } of specs) await page.locator(specRow(fileName, status)).wait();
  await expectFitForAll(page);
  if (process.env.ATELIER_SCREENSHOTS === '1') {
    await mkdir(join(picture, '..'), { recursive: true });
    await page.screenshot({ path: picture });
  }

  await page.locator(byRole('button', 'More for lobby-signage.pdf')).click();
  await page.locator(byRole('menuitem', 'Delete…')).wait();
  expect(await seriousFindings(page)).toEqual([]);
  await page.locator(byRole('menuitem', 'Delete…')).click();
  await page.locator(byRole('button', 'Delete for good')).wait();
  await expectFitForAll(page, [phone]);
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });

  await page.locator(byRole('link', 'bathroom-stone-schedule.pdf')).click();
  await page.locator('::-p-text(Processing failed)').wait();
  await expectFitForAll(page);
});

test('the catalogue, and what is not there', async () => {
  const page = await open();
  await openSpecs(page);
  await goTo(page, '/admin/catalogue');
  await expectFitForAll(page);
  expectErrors(/status of 404/);
  for (const path of ['/nowhere', '/admin/specs/00000000-0000-4000-8000-000000000000']) {
    expect(await goTo(page, path)).toBe(404);
    await expectFitForAll(page);
  }
});

test('what is not for a member', async () => {
  const page = await open();
  await goTo(page, '/sign-in');
  await signIn(page, 'member@atelier.test');
  expectErrors(/status of 403/);
  expect(await goTo(page, '/admin/specs')).toBe(403);
  await expectFitForAll(page);
});
