import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { inSession, openSession } from './support/sessions';

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

test('writing to a view fails with a permission error', async () => {
  const views = await db.sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace`;
  expect(views.length).toBeGreaterThan(0);
  for (const { name } of views) {
    const written = db.sql.begin(async (sql) => {
      await sql`select set_config('role', 'authenticated', true)`;
      await sql.unsafe(`delete from ${name}`);
    });
    await expect(written, name).rejects.toThrow('permission denied');
  }
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
    'private.sort_key',
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
    'private.sort_key',
    'public.find_specs',
    'public.list_deleted_projects',
    'public.project_access',
    'public.read_spec',
    'public.read_spec_sections',
  ]);
});

test('only the service role may call a new function', async () => {
  const callers = db.sql.begin(async (sql) => {
    await sql.unsafe('create function public.added() returns int language sql as $$ select 1 $$');
    await sql.unsafe('create function private.added() returns int language sql as $$ select 1 $$');
    return sql`select r.rolname, p.pronamespace::regnamespace::text as schema from pg_proc p, pg_roles r
      where p.proname = 'added' and r.rolname in ('anon', 'authenticated', 'service_role')
        and has_function_privilege(r.oid, p.oid, 'execute') order by 2`;
  });
  expect(await callers).toEqual([
    { rolname: 'service_role', schema: 'private' },
    { rolname: 'service_role', schema: 'public' },
  ]);
});

type Exposed = { name: string; parameters: { name: string; type: string }[] };

/** Returns the functions that the API exposes to signed-out or signed-in callers, with their parameters. */
const exposed = () => db.sql<Exposed[]>`
  select p.oid::regproc::text as name, coalesce((
           select jsonb_agg(jsonb_build_object('name', a.name, 'type', a.type::regtype) order by a.ordinal)
             from unnest(p.proargnames[:p.pronargs], p.proargtypes::oid[]) with ordinality a (name, type, ordinal)),
         '[]') as parameters
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
     and (has_function_privilege('anon', p.oid, 'execute') or has_function_privilege('authenticated', p.oid, 'execute'))`;

const LONG = "repeat('ab ', 3333)";
const given: Record<string, string> = {
  text: LONG,
  uuid: 'gen_random_uuid()',
  integer: '10',
  boolean: 'true',
  'timestamp with time zone': 'now()',
};

/** Returns the SQL of a value. Throws for a type that no exposed function has had yet, so that a value gets chosen. */
function sampleOf(type: string): string {
  const value = given[type];
  if (value === undefined) throw new Error(`There is no value for parameters of the type ${type}.`);
  return value;
}

const call = ({ name, parameters }: Exposed) =>
  `select * from ${name}(${parameters.map((each) => `${each.name} => ${sampleOf(each.type)}`).join(', ')})`;

/** The private functions that find out who the caller is. */
const IDENTIFYING = new Set([
  'caller_id',
  'find_token',
  'has_admin_role',
  'is_active',
  'is_admin',
  'is_signed_in',
  'session_account',
  'token_key',
]);

test('a function does nothing for a caller without an account but find out who calls', async () => {
  await db.sql`insert into public.projects (name, deleted_at) values ('Old', now())`;
  const functions = await exposed();
  expect(functions.length).toBeGreaterThan(0);
  for (const each of functions) {
    const called = await db.sql.begin(async (sql) => {
      await sql`select set_config('track_functions', 'all', true), set_config('role', 'anon', true)`;
      await sql.unsafe(call(each));
      await sql`reset role`;
      return sql<
        { name: string }[]
      >`select funcname as name from pg_stat_xact_user_functions where schemaname = 'private'`;
    });
    const other = called.flatMap(({ name }) => (IDENTIFYING.has(name) ? [] : [name]));
    expect(other, each.name).toEqual([]);
  }
});

test('every text that a user passes to a function is bounded', async () => {
  const functions = await exposed();
  const texts = functions.flatMap((each) =>
    each.parameters
      .filter(({ type }) => type === 'text' || type.endsWith('[]'))
      .map((parameter) => ({ each, parameter })),
  );
  expect(texts.length).toBeGreaterThan(0);
  const admin = randomUUID();
  await db.sql`insert into auth.users (id, email, raw_app_meta_data) values (${admin}, 'admin@x.test', '{"role": "admin"}')`;
  const session = await openSession(db.sql, admin, 'admin');
  for (const { each, parameter } of texts) {
    const answer = inSession(db.sql, session, (sql) =>
      sql.unsafe(call({ ...each, parameters: [parameter] })),
    );
    await expect(answer, `${each.name}(${parameter.name})`).rejects.toThrow('longer than');
  }
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
