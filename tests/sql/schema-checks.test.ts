import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { generateDatabaseTypes } from '../setup/database-types';

// All tests in this file except the first two apply rules of Supabase's database advisors
// (https://supabase.com/docs/guides/database/database-advisors). `privileges.test.ts` checks whether row-level security
// is on and who may call which function.

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

async function namesOf(query: string): Promise<string[]> {
  return (await db.sql.unsafe<{ name: string }[]>(query)).map(({ name }) => name);
}

test('the generated types match the migrations (npm run types)', async () => {
  expect(await generateDatabaseTypes(db.url)).toBe(await readFile('lib/supabase/database.types.ts', 'utf8'));
});

test('no function raises an error for which PostgREST repeats the transaction endlessly', async () => {
  const found = await namesOf(`
    select oid::regprocedure::text as name from pg_proc
     where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
       and prosrc ~* '40001|40P01|serialization_failure|deadlock_detected'`);
  expect(found).toEqual([]);
});

test('every function has a fixed search path, so that no schema of the caller replaces what it calls', async () => {
  const found = await namesOf(`
    select p.oid::regprocedure::text as name from pg_proc p join pg_language l on l.oid = p.prolang
     where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and l.lanname in ('sql', 'plpgsql')
       and not exists (select from unnest(p.proconfig) as setting where setting like 'search_path=%')`);
  expect(found).toEqual([]);
});

test('policies read the caller once per query instead of once per row', async () => {
  const found = await namesOf(`
    select format('%s.%s: %s', schemaname, tablename, policyname) as name
      from pg_policies cross join lateral concat_ws(' ', qual, with_check) as condition
     where regexp_replace(condition, 'select (auth\\.\\w+|current_setting)\\(', '', 'gi')
       ~* '(auth\\.(uid|jwt|role|email)|current_setting)\\('`);
  expect(found).toEqual([]);
});

test('no policy trusts user metadata, which users can change', async () => {
  const found = await namesOf(`
    select format('%s.%s: %s', schemaname, tablename, policyname) as name from pg_policies
     where concat_ws(' ', qual, with_check) ~* 'user_?metadata'`);
  expect(found).toEqual([]);
});

test('no policy lets everyone write', async () => {
  const found = await namesOf(`
    select format('%s.%s: %s', schemaname, tablename, policyname) as name from pg_policies
     where permissive = 'PERMISSIVE' and cmd <> 'SELECT' and 'true' in (qual, with_check)
       and roles && '{public,anon,authenticated}'`);
  expect(found).toEqual([]);
});

test('each table has at most one permissive policy for a role and a command', async () => {
  const found = await namesOf(`
    select format('%s.%s: %s for %s', schemaname, tablename, command, role) as name
      from pg_policies
      cross join lateral unnest(case cmd when 'ALL' then '{SELECT,INSERT,UPDATE,DELETE}' else array[cmd] end) as command
      cross join lateral unnest(case when 'public' = any(roles) then '{anon,authenticated}' else roles end) as role
     where permissive = 'PERMISSIVE' and schemaname in ('public', 'private')
     group by schemaname, tablename, command, role having count(*) > 1`);
  expect(found).toEqual([]);
});

test('every policy is on a table with row-level security', async () => {
  const found = await namesOf(`
    select format('%s: %s', polrelid::regclass, polname) as name
      from pg_policy join pg_class c on c.oid = polrelid where not c.relrowsecurity`);
  expect(found).toEqual([]);
});

test('every view applies the row-level security of its reader, and reads no accounts', async () => {
  const found = await namesOf(`
    select c.oid::regclass::text as name from pg_class c
     where c.relkind = 'v' and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
       and (not coalesce(c.reloptions, '{}') && '{security_invoker=on,security_invoker=true}'
         or pg_get_viewdef(c.oid) ~ 'auth\\.users')`);
  expect(found).toEqual([]);
});

test('the public schema has no extension, materialized view, foreign table or column with an object id', async () => {
  const found = await namesOf(`
    select extname as name from pg_extension where extnamespace = 'public'::regnamespace
    union all
    select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('m', 'f')
    union all
    select format('%s.%s', attrelid::regclass, attname) from pg_attribute
     where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p'))
       and not attisdropped and atttypid::regtype::text ~ '^reg(?!role|class)'`);
  expect(found).toEqual([]);
});

test('no two indexes of a table are identical', async () => {
  const found = await namesOf(`
    select string_agg(indexname, ', ' order by indexname) as name from pg_indexes
     where schemaname in ('public', 'private')
     group by schemaname, tablename, regexp_replace(indexdef, '^CREATE (UNIQUE )?INDEX \\S+ ', '') having count(*) > 1`);
  expect(found).toEqual([]);
});
