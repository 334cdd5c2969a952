// @module-tag extended
import { beforeAll, expect, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/support/api';
import { signIn } from '@/tests/app/support/people';
import { unique } from '@/tests/app/support/specs';
import { openBrowser } from './support/open-browser';
import { openAs } from './support/spec-pages';

const { url, env } = inject('atelier');
const { open, expectErrors } = openBrowser();
const email = 'admin@atelier.test';
let admin: Api;

beforeAll(async () => {
  admin = apiAt(url, (await signIn(env, email)).headers);
});

test('a brand that already exists is shown in the list, which says how many match, until another name is typed', async () => {
  const names = [unique('Elm'), unique('Fir')];
  for (const name of names) await admin('/api/admin/brands', { json: { name } });
  const page = await open();
  await openAs(page, email, '/admin/catalogue');
  const section = 'section[aria-labelledby=brand-title]';
  const badge = `document.querySelector('${section} .mantine-Badge-root').textContent`;
  const shown = `document.querySelectorAll('${section} ul[aria-label=Brands] > li').length`;
  await page.waitForFunction(`${shown} >= 2`);
  const all = await page.evaluate(shown);
  expect(await page.evaluate(badge)).toBe(String(all));
  // The server ignores differences in whitespace.
  await page.type(`${section} input[name=name]`, `${names[0]?.replace(' ', '  ')} `);
  expectErrors(/status of 409/);
  await page.keyboard.press('Enter');
  await page.waitForFunction(`${badge} === '1 of ${all}'`);
  expect(await page.evaluate(shown)).toBe(1);
  await page.keyboard.type('Oak');
  await page.waitForFunction(`${badge} === '${all}'`);
});
