// @module-tag extended
import { beforeAll, expect, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { newAdmin } from '@/tests/app/support/people';
import { unique, upload } from '@/tests/app/support/specs';
import { expectFitForAll } from './support/axe';
import { holdSpecs } from './support/hold-specs';
import { openBrowser } from './support/open-browser';
import { byRole, openAs } from './support/spec-pages';

holdSpecs('shared');
const { url, env } = inject('atelier');
const { open } = openBrowser();
const [merged, target, other] = [unique('Fjord'), unique('Gate'), unique('Harbor')];
let admin: Api;

beforeAll(async () => {
  admin = apiAt(url, (await newAdmin(env)).headers);
  for (const name of [merged, target, other]) await admin('/api/admin/brands', { json: { name } });
});

test('a brand says what it is being merged into until the background work has moved its specs', async () => {
  await upload(admin, { brandName: merged });
  const sql = openDatabase();
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  try {
    // The background work skips a brand whose row is locked, so the merge stays pending.
    const lock = sql.begin(async (tx) => {
      await tx`select 1 from public.brands where name = ${merged} for key share`;
      held.resolve();
      await released.promise;
    });
    await held.promise;
    await sql`update public.brands
      set merging_into = (select id from public.brands where name = ${target}) where name = ${merged}`;

    const page = await open();
    await openAs(page, 'admin@atelier.test', '/admin/catalogue');
    await page.locator(`::-p-text(Merging into ${target}…)`).wait();
    await page.locator('input[type=search]').fill(merged);
    await page.locator(byRole('button', `More for ${merged}`)).click();
    const merge = await page.waitForSelector(byRole('menuitem', 'Merge into another…'));
    expect(await merge?.evaluate((item) => item.matches(':disabled'))).toBe(true);
    await expectFitForAll(page);
    await page.keyboard.press('Escape');
    await page.waitForSelector('[role=menu]', { hidden: true });

    // The target of a pending merge cannot itself be merged into another name.
    await page.locator('input[type=search]').fill(target);
    await page.locator(byRole('button', `More for ${target}`)).click();
    const mergeTarget = await page.waitForSelector(byRole('menuitem', 'Merge into another…'));
    expect(await mergeTarget?.evaluate((item) => item.matches(':disabled'))).toBe(true);
    await page.keyboard.press('Escape');
    await page.waitForSelector('[role=menu]', { hidden: true });

    // A name that is being merged cannot be the target of another merge.
    await page.locator('input[type=search]').fill(other);
    await page.locator(byRole('button', `More for ${other}`)).click();
    await page.locator(byRole('menuitem', 'Merge into another…')).click();
    await page.locator('[role=dialog] input[aria-haspopup=listbox]').fill(merged);
    await page.locator('::-p-text(No brand matches)').wait();
    await page.locator(byRole('button', 'Cancel')).click();
    await page.waitForSelector('[role=dialog]', { hidden: true });

    released.resolve();
    await lock;
    await page.locator('input[type=search]').fill(target);
    await page.locator(`a[href="/admin/specs?${new URLSearchParams({ brand: target })}"]`).wait();
    await page.locator('input[type=search]').fill(merged);
    await page.locator(`::-p-text(No brand matches “${merged}”.)`).wait();
  } finally {
    released.resolve();
    await sql.end();
  }
});
