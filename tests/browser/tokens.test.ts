// @module-tag extended
import { expect, inject, test } from 'vitest';
import { tokensResponse } from '@/lib/tokens/schema';
import { apiAt, expectProblem } from '@/tests/app/support/api';
import { newAdmin } from '@/tests/app/support/people';
import { unique } from '@/tests/app/support/specs';
import { makeProject } from '@/tests/app/support/team';
import { expectFitForAll } from './support/axe';
import { openBrowser } from './support/open-browser';
import { byRole, signIn } from './support/spec-pages';
import { tabTo } from './support/tab-to';

const { url, env } = inject('atelier');
const { open, goTo } = openBrowser();

test('an admin creates a token for a service, copies it, uses it and revokes it', async () => {
  const { email, headers } = await newAdmin(env);
  const projectId = await makeProject(apiAt(url, headers));
  const page = await open();
  await page.browserContext().overridePermissions(url, ['clipboard-read', 'clipboard-sanitized-write']);
  await goTo(page, '/sign-in?next=/projects');
  await signIn(page, email);
  await page.locator(byRole('button', `Account of ${email}`)).click();
  await page.locator(byRole('menuitem', 'Access tokens')).click();
  await page.locator('::-p-text(No access tokens yet)').wait();

  await page.locator(byRole('button', 'New token')).click();
  await page.locator(byRole('button', 'Create')).click();
  await page.locator('::-p-text(Enter a name.)').wait();
  await expectFitForAll(page);
  const name = unique('Night');
  await page.locator(byRole('textbox', 'Name')).fill(name);
  await page.locator('input[type=radio][value=service]').click();
  await page.locator(byRole('button', 'Create')).click();
  await page.locator('::-p-text(Copy the token now)').wait();
  await expectFitForAll(page);
  await page.keyboard.press('Escape');
  await page.locator(byRole('button', 'Copy token')).click();
  await page.locator('::-p-text(Copied)').wait();
  const token = String(await page.evaluate('navigator.clipboard.readText()'));
  const script = apiAt(url, { authorization: `Bearer ${token}` });
  expect((await script(`/api/projects/${projectId}`)).body).toMatchObject({ role: 'viewer' });
  expect(tokensResponse.parse((await script('/api/tokens')).body).tokens).toMatchObject([{ name }]);
  await page.locator(byRole('button', 'Done')).click();

  // The list has switched to all tokens, because a service token belongs to no user.
  await page.locator(`::-p-text(Created by ${email})`).wait();
  await expectFitForAll(page);
  await tabTo(page, `Revoke ${name}`);
  await page.keyboard.press('Enter');
  await page.locator('::-p-text(loses access at once)').wait();
  await page.locator(byRole('button', 'Revoke')).click();
  await page.waitForFunction(`!document.querySelector('[aria-label="Revoke ${name}"]')`);
  await page.waitForFunction("document.activeElement.getAttribute('aria-label') === 'Access tokens'");
  expectProblem(await script('/api/projects'), 'unauthenticated');
});
