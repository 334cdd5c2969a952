import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

test('every table in the schemas public and private has row-level security', async () => {
  const open = await db.sql`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname in ('public', 'private') and not c.relrowsecurity`;
  expect(open).toEqual([]);
});

test('only the service role may write tables, and everyone else may only read those of the schema public', async () => {
  const grants = await db.sql`
    select table_schema || '.' || table_name as name, grantee, privilege_type from information_schema.role_table_grants
     where table_schema in ('public', 'private')
       and (grantee = 'PUBLIC' or (grantee in ('anon', 'authenticated')
         and not (table_schema = 'public' and privilege_type = 'SELECT')))`;
  expect(grants).toEqual([]);
});

test("users may call only the functions that check the user's own rights", async () => {
  const callable = await db.sql<{ name: string }[]>`
    select n.nspname || '.' || p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('public', 'private') and p.prokind = 'f'
       and (has_function_privilege('authenticated', p.oid, 'execute') or has_function_privilege('anon', p.oid, 'execute'))
     order by 1`;
  expect(callable.map((row) => row.name)).toEqual([
    'private.caller_id',
    'private.can_read_topic',
    'private.has_token',
    'private.image_retrying',
    'private.is_admin',
    'private.my_projects',
    'private.name_key',
    'private.own_role',
    'private.sort_key',
    'private.take_own_start',
    'public.deleted_project_access',
    'public.find_specs',
    'public.list_deleted_projects',
    'public.project_access',
    'public.read_spec',
    'public.read_spec_sections',
  ]);
  // Requests with an access token run as `anon`. These functions check the token's rights or serve such requests.
  const anonymous = await db.sql<{ name: string }[]>`
    select n.nspname || '.' || p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('public', 'private') and has_function_privilege('anon', p.oid, 'execute') order by 1`;
  expect(anonymous.map((row) => row.name)).toEqual([
    'private.caller_id',
    'private.has_token',
    'private.image_retrying',
    'private.is_admin',
    'private.my_projects',
    'private.own_role',
    'private.sort_key',
    'private.take_own_start',
    'public.deleted_project_access',
    'public.find_specs',
    'public.list_deleted_projects',
    'public.project_access',
    'public.read_spec',
    'public.read_spec_sections',
  ]);
});

test('Postgres keeps the plans of the functions that policies and views call', async () => {
  // If Postgres cannot inline an SQL function, it plans the function again for each query that calls the function.
  // Immutable functions are left out, because they read no tables and take little time to plan.
  const planned = await db.sql`
    select distinct p.oid::regprocedure::text as name from pg_depend d
      join pg_proc p on d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid
      join pg_language l on l.oid = p.prolang
     where d.classid in ('pg_policy'::regclass, 'pg_rewrite'::regclass) and l.lanname = 'sql'
       and p.pronamespace = 'private'::regnamespace and p.provolatile <> 'i'`;
  expect(planned).toEqual([]);
});
