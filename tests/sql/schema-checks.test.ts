import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { generateDatabaseTypes } from '../setup/database-types';

const run = promisify(execFile);
let db: TestDatabase;
let workdir: string;
beforeAll(async () => {
  db = await createTestDatabase();
  workdir = await mkdtemp(join(tmpdir(), 'atelier-cli-'));
});
afterAll(async () => {
  await db?.drop();
  await rm(workdir, { recursive: true, force: true });
});

test('the generated types match the migrations (npm run types)', async () => {
  expect(generateDatabaseTypes(db.url)).toBe(await readFile('lib/supabase/database.types.ts', 'utf8'));
});

test('no function raises an error for which PostgREST repeats the transaction endlessly', async () => {
  const rows = await db.sql`
    select oid::regprocedure as name from pg_proc
     where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
       and prosrc ~* '40001|40P01|serialization_failure|deadlock_detected'`;
  expect(rows).toEqual([]);
});

test('the database advisors find nothing', async () => {
  const { stdout, stderr } = await run(
    'node_modules/.bin/supabase',
    ['db', 'advisors', `--remote=${db.url}`, '--level', 'warn', '--fail-on', 'warn', '--workdir', workdir],
    { env: { ...process.env, SUPABASE_TELEMETRY_DISABLED: '1' } },
  );
  expect(stdout + stderr).toContain('No issues found');
});
