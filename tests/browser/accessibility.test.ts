import { expect, test } from 'vitest';
import { expectFitForAll, seriousFindings } from './support/axe';
import { desktop, openBrowser } from './support/open-browser';
import { byRole, openSpecs, startSession } from './support/spec-pages';

const { open, goTo, expectErrors } = openBrowser();

test('the accessibility check finds serious problems', async () => {
  const page = await open();
  await page.setContent('<main><button></button><p style="color: #bbb">pale</p></main>');
  const found = await seriousFindings(page);
  expect(found.map((finding) => finding.split(':')[0]).sort()).toEqual(
    expect.arrayContaining(['button-name', 'color-contrast']),
  );
});

test('the sign-in page is accessible, including its error messages', async () => {
  const page = await open();
  await goTo(page, '/sign-in');
  await expectFitForAll(page);
  await page.locator(byRole('button', 'Sign in')).click();
  await page.locator('::-p-text(Enter the email address of your account)').wait();
  await expectFitForAll(page, [desktop]);
});

test('the catalog and the page for a missing path are accessible', { tags: ['extended'] }, async () => {
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

test('the page that refuses a member is accessible', { tags: ['extended'] }, async () => {
  const page = await open();
  await startSession(page, 'member@atelier.test');
  expectErrors(/status of 403/);
  expect(await goTo(page, '/admin/specs')).toBe(403);
  await expectFitForAll(page);
});

test('a reduced-motion preference turns off all transitions', { tags: ['extended'] }, async () => {
  const page = await open();
  await openSpecs(page);
  // Find and check the elements in one evaluation. Between two evaluations, a live update could remove elements, and
  // removed elements have no style.
  const moving = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter((element) =>
          getComputedStyle(element)
            .transitionDuration.split(', ')
            .some((time) => time !== '0s'),
        )
        .map(({ tagName, className }) => `${tagName} ${className}`),
    );
  expect(await moving()).toEqual([]);
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'no-preference' }]);
  expect((await moving()).length).toBeGreaterThan(0);
});
