import { expect, test } from 'vitest';
import { openBrowser } from './support/open-browser';
import { byRole, isLive, signIn } from './support/spec-pages';

const { open, goTo, expectErrors } = openBrowser();

test.each(['/admin/specs', '/admin/catalogue'])(
  'a member gets a clear message that %s is for administrators',
  {
    tags: ['extended'],
  },
  async (path) => {
    const page = await open();
    await goTo(page, '/sign-in');
    await signIn(page, 'member@atelier.test');
    await page.waitForFunction("location.pathname === '/projects'");
    expectErrors(/status of 403/);
    expect(await goTo(page, path)).toBe(403);
    await page.locator('::-p-text(Administrators only)').wait();
    await page.locator('::-p-text(You are signed in as member@atelier.test)').wait();
    expect(await page.$('input[type=file]')).toBeNull();
    // The navigation remains, with the pages that a member may open.
    expect(
      await page.$$eval('nav[aria-label=Main] a', (links) => links.map((link) => link.textContent)),
    ).toEqual(['Projects', 'Materials']);
    await page.locator(byRole('link', 'Your projects')).click();
    await page.waitForFunction("location.pathname === '/projects'");
    // A user without the admin role can sign out to use another account.
    await goTo(page, path);
    await page.locator(byRole('button', 'Account of member@atelier.test')).click();
    await page.locator(byRole('menuitem', 'Sign out')).click();
    await page.waitForFunction("location.pathname === '/sign-in'");
  },
);

test('a signed-out user signs in first and then gets to the requested page', async () => {
  const page = await open();
  await goTo(page, '/admin/specs?status=failed');
  const at = new URL(page.url());
  expect([at.pathname, at.searchParams.get('next')]).toEqual(['/sign-in', '/admin/specs?status=failed']);
  await signIn(page, 'admin@atelier.test');
  await isLive(page);
  expect(page.url()).toMatch(/\/admin\/specs\?status=failed$/);

  // The page may be reading the list when the session ends, so allow a 401 for that request.
  expectErrors(/status of 401 .*\/api\/admin\/specs\?/);
  await page.locator(byRole('button', 'Account of admin@atelier.test')).click();
  await page.locator(byRole('menuitem', 'Sign out')).click();
  await page.waitForFunction("location.pathname === '/sign-in'");
  await goTo(page, '/admin/specs');
  expect(new URL(page.url()).pathname).toBe('/sign-in');
});

test('a wrong password is refused, and sign-in never leads to another site', async () => {
  const page = await open();
  await goTo(page, '/sign-in?next=https://elsewhere.example/');
  await page.locator('input[name=email]').fill('admin@atelier.test');
  await page.locator('input[name=password]').fill('not the password');
  expectErrors(/status of 400/);
  await page.locator(byRole('button', 'Sign in')).click();
  await page.locator('::-p-text(Wrong email or password)').wait();
  await signIn(page, 'admin@atelier.test');
  await page.waitForFunction("location.pathname === '/admin/specs'");
});
