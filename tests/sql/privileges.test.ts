import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

test('every table of ours has row level security', async () => {
  const open = await db.sql`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname in ('public', 'private') and not c.relrowsecurity`;
  expect(open).toEqual([]);
});

test('only the service role may write tables, and anonymous callers may not even read them', async () => {
  const grants = await db.sql`
    select table_schema || '.' || table_name as name, grantee, privilege_type from information_schema.role_table_grants
     where table_schema in ('public', 'private')
       and (grantee = 'anon' or grantee = 'PUBLIC' or (grantee = 'authenticated' and privilege_type <> 'SELECT'))`;
  expect(grants).toEqual([]);
});

test("users may call only the functions that check the user's own rights", async () => {
  const callable = await db.sql<{ name: string }[]>`
    select n.nspname || '.' || p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('public', 'private') and p.prokind = 'f'
       and (has_function_privilege('authenticated', p.oid, 'execute') or has_function_privilege('anon', p.oid, 'execute'))
     order by 1`;
  expect(callable.map((row) => row.name)).toEqual([
    'private.can_read_topic',
    'private.is_admin',
    'private.my_projects',
    'private.name_key',
    'private.take_own_start',
    'public.project_access',
    'public.spec_counts',
  ]);
  const anonymous = await db.sql`
    select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('public', 'private') and has_function_privilege('anon', p.oid, 'execute')`;
  expect(anonymous).toEqual([]);
});
