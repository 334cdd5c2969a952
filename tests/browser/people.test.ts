import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { apiAt } from '@/tests/app/support/api';
import { newAdmin } from '@/tests/app/support/people';
import { expectFitForAll } from './support/axe';
import { openBrowser, phone } from './support/open-browser';
import { byRole, signIn } from './support/spec-pages';
import { tabTo } from './support/tab-to';

const { url, env } = inject('atelier');
const { open, goTo } = openBrowser();

test('an administrator invites a person by keyboard, who joins, and then disables the account and finds it all in the activity', async () => {
  const { email: adminEmail, headers } = await newAdmin(env);
  const email = `invited-${randomUUID()}@atelier.test`;
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
  await invited.locator(byRole('textbox', 'Your name')).fill('Ines Durand');
  await invited.locator(byRole('textbox', 'New password')).fill('a long new password');
  await invited.locator(byRole('button', 'Join')).click();
  await invited.locator(byRole('button', `Account of ${email}`)).click();
  await invited.locator('::-p-text(Ines Durand)').wait();
  await invited.locator(byRole('menuitem', 'Account')).click();
  await invited.locator(byRole('button', 'Change password')).wait();
  await expectFitForAll(invited);

  await page.locator(byRole('searchbox', 'Search people')).fill(email);
  await page.locator('::-p-text(Ines Durand)').wait();
  await page.locator(byRole('button', `Actions for ${email}`)).click();
  await page.locator(byRole('menuitem', 'Disable account')).click();
  await page.locator('::-p-text(Disable this account?)').wait();
  await page.locator(byRole('button', 'Disable account')).click();
  await page.locator('::-p-text(Disabled)').wait();
  const { body } = await apiAt(url, headers)(`/api/admin/people?q=${email}`);
  expect(body).toMatchObject({ people: [{ name: 'Ines Durand', state: 'disabled' }] });

  await page.locator(byRole('link', 'Activity')).click();
  await page.locator(`::-p-text(Disabled account: ${email})`).wait();
  await page.locator(`::-p-text(Accepted invitation: ${email})`).wait();
  await expectFitForAll(page);
});
