// @module-tag extended
import { randomUUID } from 'node:crypto';
import type { HTTPRequest } from 'puppeteer-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { accountLink } from '@/lib/people/schema';
import { type MadeToken, makeToken } from '@/tests/app/support/access-tokens';
import { apiAt } from '@/tests/app/support/api';
import { newAdmin, newUser } from '@/tests/app/support/people';
import { picture } from '@/tests/app/support/pictures';
import { makeDataDir } from '@/tests/setup/temporary-dir';
import { expectFitForAll } from './support/axe';
import { chooseFile } from './support/choose-file';
import { openBrowser, phone } from './support/open-browser';
import { byRole, openAs, password, signIn, startSession } from './support/spec-pages';
import { tabTo } from './support/tab-to';

const { url, env } = inject('atelier');
const { open, goTo, expectErrors } = openBrowser();
let files: Awaited<ReturnType<typeof makeDataDir>>;

beforeAll(async () => {
  files = await makeDataDir();
});
afterAll(() => files.remove());

test('an administrator invites a person by keyboard, who joins, gives and takes the role, disables the account and finds it all in the activity', async () => {
  const { email: adminEmail, headers } = await newAdmin(env);
  const id = randomUUID();
  const email = `invited-${id}@atelier.test`;
  // Unique, so that the unfiltered list cannot be taken for the result of a search for this person.
  const name = `Ines Durand ${id.slice(0, 8)}`;
  const page = await open();
  await page.browserContext().overridePermissions(url, ['clipboard-read', 'clipboard-sanitized-write']);
  await goTo(page, '/sign-in?next=/admin/people');
  await signIn(page, adminEmail);
  await tabTo(page, 'Invite');
  await page.keyboard.press('Enter');
  await page.locator(byRole('textbox', 'Email')).wait();
  await page.locator(byRole('button', 'Invite')).wait();
  await page.keyboard.press('Enter');
  await page.locator('::-p-text(Enter an email address)').wait();
  await expectFitForAll(page);
  await page.keyboard.type(email);
  await page.locator('::-p-text(Copy the link instead)').click();
  await page.locator('[role=dialog] button[type=submit]').click();
  await page.locator('::-p-text(Copy the link now)').wait();
  await expectFitForAll(page);
  await page.locator(byRole('button', 'Copy link')).click();
  await page.locator('::-p-text(Copied)').wait();
  const link = new URL(String(await page.evaluate('navigator.clipboard.readText()')));
  await page.locator(byRole('button', 'Done')).click();
  await page.locator(byRole('button', `Actions for ${email}`)).wait();
  await expectFitForAll(page);

  const invited = await open(phone);
  await goTo(invited, `${link.pathname}${link.hash}`);
  await invited.locator(`::-p-text(For ${email})`).wait();
  await invited.locator(byRole('textbox', 'New password')).fill('short');
  await invited.locator(byRole('button', 'Join')).click();
  await invited.locator('::-p-text(must have at least 10 characters)').wait();
  await expectFitForAll(invited);
  await invited.locator(byRole('textbox', 'Your name')).fill(name);
  await invited.locator(byRole('textbox', 'New password')).fill('a long new password');
  await invited.locator(byRole('button', 'Join')).click();
  await invited.locator(byRole('button', `Account of ${email}`)).click();
  await invited.locator(`::-p-text(${name})`).wait();
  await invited.locator(byRole('menuitem', 'Account')).click();
  await invited.locator(byRole('button', 'Change password')).wait();
  await expectFitForAll(invited);

  await page.locator(byRole('searchbox', 'Search people')).fill(email);
  await page.locator(`::-p-text(${name})`).wait();
  const choose = async (action: string, confirm: string) => {
    await page.locator(byRole('button', `Actions for ${email}`)).click();
    await page.locator(byRole('menuitem', action)).click();
    await page.locator(`[role=dialog] ::-p-xpath(//button[normalize-space()="${confirm}"])`).click();
    await page.waitForSelector('[role=dialog]', { hidden: true });
  };
  await choose('Make administrator', 'Make administrator');
  await page.locator('::-p-text(Administrator)').wait();
  await choose('Remove administrator role', 'Remove role');
  await page.waitForSelector('::-p-text(Administrator)', { hidden: true });
  await page.locator(byRole('button', `Actions for ${email}`)).click();
  await page.locator(byRole('menuitem', 'Make administrator')).wait();
  await page.locator(byRole('menuitem', 'Disable account')).click();
  await page.locator('::-p-text(Disable this account?)').wait();
  await page.locator(byRole('button', 'Disable account')).click();
  await page.locator('::-p-text(Disabled)').wait();
  const { body } = await apiAt(url, headers)(`/api/admin/people?q=${email}`);
  expect(body).toMatchObject({ people: [{ name, state: 'disabled' }] });

  await page.locator(byRole('link', 'Activity')).click();
  await page.locator(`::-p-text(Disabled account: ${email})`).wait();
  await page.locator(`::-p-text(Accepted invitation: ${email})`).wait();
  await page.locator('summary').click();
  await page.locator(byRole('button', 'Copy request ID')).click();
  await page.locator('::-p-text(Copied)').wait();
  const requestId = await page.$eval('details[open] code', ({ textContent }) => textContent);
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(requestId);
  await expectFitForAll(page);

  await page.locator('::-p-xpath(//label[normalize-space()="Person"])').click();
  await page.keyboard.type(adminEmail);
  await page.locator(byRole('option', adminEmail)).click();
  await page.waitForSelector(`::-p-text(Accepted invitation: ${email})`, { hidden: true });
  await page.locator('::-p-xpath(//label[normalize-space()="Action"])').click();
  await page.locator(byRole('option', 'Removed role')).click();
  const events = 'ul[aria-label=Activity] > li';
  await page.waitForFunction(`document.querySelectorAll('${events}').length === 1`);
  expect(await page.$eval(events, ({ textContent }) => textContent)).toContain(`Removed role: ${email}`);
  const csv = await page.$eval('a[download="activity.csv"]', async ({ href }) => (await fetch(href)).text());
  expect(
    csv
      .trim()
      .split('\r\n')
      .map((line) => line.includes(`"role.removed","${email}"`)),
  ).toEqual([false, true]);
});

test('an administrator who disables a person sees the service tokens that this person created, and revokes them by keyboard', async () => {
  const { email: adminEmail } = await newAdmin(env);
  const creator = await newAdmin(env);
  const byCreator = apiAt(url, creator.headers);
  const scripts: MadeToken[] = [];
  for (const role of ['editor', 'viewer', 'viewer'] as const) {
    scripts.push(await makeToken(byCreator, { role, kind: 'service' }));
  }
  const [first, ...others] = scripts as [MadeToken, ...MadeToken[]];
  const statuses = () =>
    Promise.all(scripts.map(async ({ headers }) => (await apiAt(url, headers)('/api/projects')).status));
  expect(await statuses()).toEqual([200, 200, 200]);
  const page = await open();
  await goTo(page, '/sign-in?next=/admin/people');
  await signIn(page, adminEmail);
  await page.locator(byRole('searchbox', 'Search people')).fill(creator.email);
  // Until the search is done, the list shows everyone, and opening a menu there would be undone.
  await page.waitForFunction("document.querySelectorAll('ul[aria-label=People] > li').length === 1");
  await page.locator(byRole('button', `Actions for ${creator.email}`)).click();
  await page.locator(byRole('menuitem', 'Disable account')).click();
  await page.locator('::-p-text(3 service tokens that this person created stay valid.)').wait();
  await expectFitForAll(page);
  await tabTo(page, 'Disable account');
  await page.keyboard.press('Enter');
  await page.locator(byRole('button', 'Revoke all 3')).wait();
  await expectFitForAll(page);
  await tabTo(page, `Revoke ${first.name}`);
  await page.keyboard.press('Enter');
  await page.locator('::-p-text(Revoke this token?)').wait();
  await tabTo(page, 'Revoke');
  await page.keyboard.press('Enter');
  await page.locator(byRole('button', 'Revoke all 2')).wait();
  expect(await statuses()).toEqual([401, 200, 200]);
  // Another administrator revokes one of them meanwhile, so revoking it again returns 404.
  expectErrors(/status of 404 .*\/api\/admin\/tokens\//);
  const { headers } = await newAdmin(env);
  await apiAt(url, headers)(`/api/admin/tokens/${others[0]?.id}`, { method: 'DELETE' });
  await tabTo(page, 'Revoke all 2');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.locator('::-p-text(The service tokens were revoked.)').wait();
  expect(await statuses()).toEqual([401, 401, 401]);
});

test('a person changes their name, picture and password, forgets the password and gets in with a link', async () => {
  const { id, email } = await newUser(env);
  const page = await open();
  await openAs(page, email, '/account');
  const signOut = async () => {
    await page.locator(byRole('button', `Account of ${email}`)).click();
    await page.locator(byRole('menuitem', 'Sign out')).click();
    await page.waitForFunction("location.pathname === '/sign-in'");
  };
  await page.locator('input[name=name]').fill('Ines Durand');
  await page.locator(byRole('button', 'Save')).click();
  await page.locator('::-p-text(The name was saved.)').wait();
  await chooseFile(page, files.path, 'me.png', await picture(300, 200));
  await page.locator('::-p-text(The picture was saved.)').wait();
  // The header and the page show the picture. It must have loaded before the next step removes it.
  await page.waitForFunction(`(() => {
    const pictures = [...document.querySelectorAll('img[src*="/picture"]')];
    return pictures.length === 2 && pictures.every(({ naturalWidth }) => naturalWidth > 0);
  })()`);
  await page.locator(byRole('button', 'Remove picture')).click();
  await page.locator('::-p-text(The picture was removed.)').wait();
  await page.locator(byRole('button', 'Upload picture')).wait();

  const [second, third] = ['a second long password', 'a third long password'];
  expectErrors(/status of 4\d\d .*\/api\/account\/password/);
  await page.locator('input[name=currentPassword]').fill('not the password');
  await page.locator('input[name=newPassword]').fill(second);
  await page.locator(byRole('button', 'Change password')).click();
  await page.locator('::-p-text(This is not your current password.)').wait();
  await page.locator('input[name=currentPassword]').fill(password);
  await page.locator(byRole('button', 'Change password')).click();
  await page.locator('::-p-text(The password was changed.)').wait();
  await page.reload();
  await page.waitForFunction("document.querySelector('input[name=name]')?.value === 'Ines Durand'");
  await signOut();

  await page.locator(byRole('link', 'Forgot password?')).click();
  await page.locator(byRole('button', 'Send link')).click();
  await page.locator('::-p-text(Enter the email address of your account)').wait();
  await page.locator('input[name=email]').fill(email);
  await page.locator(byRole('button', 'Send link')).click();
  await page.locator('::-p-text(Check your email)').wait();
  await expectFitForAll(page);

  // Other tests cover the email. Here, an administrator creates the same kind of link.
  const { headers } = await newAdmin(env);
  const created = await apiAt(url, headers)(`/api/admin/people/${id}/link`, { json: { copy: true } });
  const link = new URL(accountLink.parse(created.body).url ?? '');
  await goTo(page, `${link.pathname}${link.hash}`);
  await page.locator('input[name=password]').fill(third);
  await page.locator(byRole('button', 'Save and sign in')).click();
  await page.locator(byRole('button', `Account of ${email}`)).wait();
  await signOut();
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(third);
  await page.locator(byRole('button', 'Sign in')).click();
  await page.locator(byRole('button', `Account of ${email}`)).wait();
});

test('a password typed before the scripts of the page have loaded stays out of the URL, and is used once they have', async () => {
  const { email } = await newUser(env);
  const page = await open();
  await startSession(page, email);
  let held: HTTPRequest[] | null = [];
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (held && request.resourceType() === 'script') held.push(request);
    else void request.continue();
  });
  const loadScripts = async () => {
    const requests = held ?? [];
    held = null;
    for (const request of requests) await request.continue();
  };

  await page.goto(`${url}/account`, { waitUntil: 'domcontentloaded' });
  const navigations: string[] = [];
  page.on('request', (request) => request.isNavigationRequest() && navigations.push(request.url()));
  await page.type('input[name=currentPassword]', password);
  await page.type('input[name=newPassword]', 'a second long password');
  await page.keyboard.press('Enter');
  const button = await page.$(byRole('button', 'Change password'));
  await button?.click();
  await loadScripts();
  await page.locator(byRole('button', 'Change password')).click();
  await page.locator('::-p-text(The password was changed.)').wait();
  expect(navigations).toEqual([]);
});
