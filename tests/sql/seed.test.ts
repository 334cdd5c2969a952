import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';

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
