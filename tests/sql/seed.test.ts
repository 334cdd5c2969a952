import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { prepareHosted } from '../setup/hosted-supabase';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

test('the seed creates no account in a database that is not a local copy, even if its first error is ignored', async () => {
  const { sql } = db;
  const seed = await readFile('supabase/seed.sql', 'utf8');
  const afterGuard = seed.slice(seed.indexOf('create extension'));
  const accounts = afterGuard.slice(0, afterGuard.indexOf('insert into auth.identities'));
  await expect(sql.unsafe(seed).simple()).rejects.toThrow('accounts with a published password');
  await sql.unsafe(accounts).simple();
  expect(await sql`select email from auth.users`).toEqual([]);
  await sql.begin((copy) => copy.unsafe(`set local atelier.local_copy = 'on'; ${seed}`).simple());
  expect(await sql`select email from auth.users`).toHaveLength(3);
});

test('if the tests on a hosted Supabase cannot be prepared, neither the demo accounts nor a connection remain', async () => {
  const { sql, url } = db;
  const connections = () => sql`select pid from pg_stat_activity where application_name = 'hosted'`;
  // The preparation fails because the picture of the demo project cannot be uploaded to this URL.
  const hosted = { url: 'no-url', publishableKey: 'sb_publishable_key', secretKey: 'sb_secret_key' };
  const databaseUrl = `${url}?application_name=hosted`;
  await expect(prepareHosted({ ...hosted, databaseUrl }, 3000)).rejects.toThrow('Invalid supabaseUrl');
  expect(await sql`select email from auth.users`).toEqual([]);
  await expect.poll(connections).toEqual([]);
});
