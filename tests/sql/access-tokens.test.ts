import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { makeSpec } from './support/make-spec';
import { inSession, openSession } from './support/sessions';

let db: TestDatabase;
let admin: string;
let member: string;
let project: string;
let other: string;

async function addUser(appMetadata = '{}'): Promise<string> {
  const id = randomUUID();
  await db.sql`insert into auth.users (id, email, raw_app_meta_data)
    values (${id}, ${`${id}@atelier.test`}, ${appMetadata}::text::jsonb)`;
  return id;
}

async function addProject(owner: string): Promise<string> {
  const [row] = await db.sql`select public.create_project(${owner}, 'House') as answer`;
  return row?.answer.id;
}

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());
beforeEach(async () => {
  admin = await addUser('{"role": "admin"}');
  member = await addUser();
  project = await addProject(member);
  other = await addProject(admin);
});

type Wanted = { by?: string; account?: string; role?: string; isService?: boolean; days?: number };

async function create({ by = member, account = by, role = 'owner', isService = false, days = 1 }: Wanted) {
  const key = randomBytes(32).toString('hex');
  const [row] =
    await db.sql`select public.create_access_token(${by}, ${account}, ${isService}, 'Script', ${role},
    ${key}, 'abcd', ${days}) as answer`;
  return { key, id: String(row?.answer.id), outcome: String(row?.answer.outcome) };
}
const service = async (role: string) =>
  create({ by: admin, account: await addUser(), role, isService: true });

/** Runs `work` the way PostgREST runs a request with this key and without a JWT. */
function withKey<T>(key: string | null, work: (sql: TestDatabase['sql']) => Promise<T>): Promise<T> {
  const headers = JSON.stringify(key === null ? {} : { 'x-atelier-token': key });
  return db.sql.begin(async (sql) => {
    await sql`select set_config('role', 'anon', true), set_config('request.jwt.claims', '', true),
      set_config('request.jwt.claim.sub', '', true), set_config('request.headers', ${headers}, true)`;
    return work(sql as unknown as TestDatabase['sql']);
  }) as Promise<T>;
}

const rights = (key: string | null) =>
  withKey(key, async (sql) => {
    const seen = await sql`select id from public.projects where id in (${project}, ${other})`;
    const [own] = await sql`select role from public.project_access(${project})`;
    const [foreign] = await sql`select role from public.project_access(${other})`;
    const [row] = await sql`select private.is_admin() as admin`;
    const roles = [own?.role, foreign?.role].map((role) => role ?? null);
    return { admin: row?.admin, seen: seen.length, roles };
  });
const none = { admin: false, seen: 0, roles: [null, null] };
const holder = async (key: string) =>
  (await db.sql`select role, is_service, is_admin from public.use_access_token(${key})`)[0] ?? null;

describe('the rights of an access token', () => {
  test.each(['viewer', 'editor', 'owner'])(
    "a personal token with the role %s has at most this role in its owner's projects",
    async (role) => {
      const { key } = await create({ role });
      expect(await rights(key)).toEqual({ admin: false, seen: 1, roles: [role, null] });
      await db.sql`update public.project_members set role = 'viewer' where user_id = ${member}`;
      expect(await rights(key)).toEqual({ admin: false, seen: 1, roles: ['viewer', null] });
    },
  );

  test("an admin's personal token has admin rights only with the role admin", async () => {
    const { key } = await create({ by: admin, role: 'admin' });
    expect(await rights(key)).toEqual({ admin: true, seen: 2, roles: ['owner', 'owner'] });
    const { key: weaker } = await create({ by: admin, role: 'owner' });
    expect(await rights(weaker)).toEqual({ admin: false, seen: 1, roles: [null, 'owner'] });
  });

  test.each(['viewer', 'editor', 'owner'])(
    'a service token with the role %s has this role in every project and is no admin',
    async (role) => {
      expect(await rights((await service(role)).key)).toEqual({ admin: false, seen: 2, roles: [role, role] });
    },
  );

  test('a service token with the role admin has admin rights', async () => {
    const { key } = await service('admin');
    expect(await rights(key)).toEqual({ admin: true, seen: 2, roles: ['owner', 'owner'] });
    expect(await holder(key)).toEqual({ role: 'admin', is_service: true, is_admin: true });
  });

  test('when a key is sent with a JWT, only the rights of the key apply', async () => {
    const { key } = await create({ role: 'viewer' });
    const session = await openSession(db.sql, admin, 'admin');
    const callerWith = (headers: Record<string, string>) =>
      inSession(
        db.sql,
        session,
        async (sql) => {
          const [row] = await sql`select private.is_admin() as admin, private.caller_id() as caller`;
          return row && { ...row };
        },
        headers,
      );
    expect(await callerWith({})).toEqual({ admin: true, caller: admin });
    expect(await callerWith({ 'x-atelier-token': key })).toEqual({ admin: false, caller: member });
    expect(await callerWith({ 'x-atelier-token': 'unknown' })).toEqual({ admin: false, caller: null });
  });
});

describe('the end of an access token', () => {
  const bothNone = async (key: string | null) => {
    expect(await rights(key)).toEqual(none);
    expect(await holder(key ?? '')).toBeNull();
  };

  test('a missing, unknown or altered key and the stored hash of a key give no rights', async () => {
    const { key, id } = await create({});
    expect((await rights(key)).seen).toBe(1);
    const [row] = await db.sql`select key_sha256 from private.access_tokens where id = ${id}`;
    expect(row?.key_sha256).not.toBe(key);
    for (const wrong of [null, '', 'x', row?.key_sha256, key.toUpperCase(), `${key} `]) await bothNone(wrong);
  });

  test('an expired token has no rights', async () => {
    const { key, id } = await create({});
    await db.sql`update private.access_tokens set expires_at = now() where id = ${id}`;
    await bothNone(key);
  });

  test('only its owner and an admin can revoke a token', async () => {
    const { key, id } = await create({});
    const revoke = async (account: string | null) =>
      (await db.sql`select public.revoke_access_token(${id}, ${account}) as done`)[0]?.done;
    expect(await revoke(admin)).toBe(false);
    expect((await rights(key)).seen).toBe(1);
    expect(await revoke(member)).toBe(true);
    await bothNone(key);
    expect(await revoke(null)).toBe(false);
  });

  test('a personal token has no rights while its account is banned or after it is deleted', async () => {
    const { key } = await create({});
    await db.sql`update auth.users set banned_until = now() + interval '1 hour' where id = ${member}`;
    await bothNone(key);
    await db.sql`update auth.users set banned_until = null where id = ${member}`;
    expect((await rights(key)).seen).toBe(1);
    await db.sql`delete from auth.users where id = ${member}`;
    await bothNone(key);
  });

  test('the personal token of a former admin loses the admin rights, and the token of a service keeps them', async () => {
    const personal = await create({ by: admin, role: 'admin' });
    const { key } = await service('admin');
    await db.sql`update auth.users set raw_app_meta_data = '{}' where id = ${admin}`;
    expect(await rights(personal.key)).toEqual({ admin: false, seen: 1, roles: [null, 'owner'] });
    expect(await holder(personal.key)).toMatchObject({ role: 'admin', is_admin: false });
    await db.sql`delete from auth.users where id = ${admin}`;
    expect(await holder(key)).toMatchObject({ is_admin: true });
  });
});

describe('the creation of an access token', () => {
  test('only an admin can create a token with the role admin or for a service', async () => {
    expect((await create({ role: 'admin' })).outcome).toBe('not_allowed');
    expect((await create({ account: await addUser(), isService: true })).outcome).toBe('not_allowed');
    expect((await create({ account: admin })).outcome).toBe('not_allowed');
    expect((await create({ by: admin, account: member })).outcome).toBe('not_allowed');
    expect((await create({ by: admin, role: 'admin' })).outcome).toBe('created');
    expect((await service('viewer')).outcome).toBe('created');
  });

  test('a person can create 50 tokens, however many are created at the same time', async () => {
    const outcomes = await Promise.all(Array.from({ length: 55 }, async () => (await create({})).outcome));
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(50);
    expect(outcomes.filter((outcome) => outcome === 'too_many')).toHaveLength(5);
    expect((await create({ by: admin })).outcome).toBe('created');
  });

  test('the last use of a token is stored at most once a minute', async () => {
    const { key, id } = await create({});
    const lastUse = async () =>
      (
        await db.sql`select last_used_at, xmin::text as version from private.access_tokens where id = ${id}`
      )[0];
    expect((await lastUse())?.last_used_at).toBeNull();
    await holder(key);
    const first = await lastUse();
    expect(first?.last_used_at).toBeInstanceOf(Date);
    await holder(key);
    expect((await lastUse())?.version).toBe(first?.version);
    await db.sql`update private.access_tokens set last_used_at = now() - interval '61 seconds' where id = ${id}`;
    await holder(key);
    expect(Number((await lastUse())?.last_used_at)).toBeGreaterThanOrEqual(Number(first?.last_used_at));
  });

  test('the tokens of one account or of all are listed newest first, with the addresses of their owner and creator', async () => {
    const first = await create({});
    const second = await create({ role: 'viewer' });
    const list = (account: string | null) =>
      db.sql`select id, owner_email, created_by_email from public.list_access_tokens(${account}, p_limit => 2)`;
    const owner = `${member}@atelier.test`;
    expect(await list(member)).toEqual([
      { id: second.id, owner_email: owner, created_by_email: owner },
      { id: first.id, owner_email: owner, created_by_email: owner },
    ]);
    const { id } = await service('viewer');
    const [newest] = await list(null);
    expect(newest).toEqual({ id, owner_email: null, created_by_email: `${admin}@atelier.test` });
    const [before] = await db.sql`select created_at from private.access_tokens where id = ${second.id}`;
    const rest = await db.sql`
      select id from public.list_access_tokens(${member}, ${before?.created_at}, ${second.id})`;
    expect(rest).toEqual([{ id: first.id }]);
  });
});

describe('what anonymous requests can read', () => {
  test('every table that anonymous requests may read has a policy that requires a valid token', async () => {
    const open = await db.sql`
      select c.relname from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and has_any_column_privilege('anon', c.oid, 'select') and not exists (
           select 1 from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname
              and p.permissive = 'RESTRICTIVE' and p.roles = '{anon}' and p.qual like '%has_token()%')`;
    expect(open).toEqual([]);
    const ownRights = await db.sql`
      select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
         and has_any_column_privilege('anon', c.oid, 'select') and not 'security_invoker=true' = any (c.reloptions)`;
    expect(ownRights).toEqual([]);
  });

  test('every table and view that people may read can be read with an admin token, and shows nothing without one', async () => {
    await makeSpec(db.sql);
    const relations = await db.sql<{ name: string }[]>`
      select c.oid::regclass::text as name from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
         and has_table_privilege('authenticated', c.oid, 'select')`;
    expect(relations.length).toBeGreaterThan(10);
    const { key } = await service('admin');
    for (const { name } of relations) {
      const rows = (given: string | null) => withKey(given, (sql) => sql.unsafe(`select 1 from ${name}`));
      const [all] = await db.sql.unsafe(`select count(*)::int as n from ${name}`);
      expect(await rows(key), name).toHaveLength(all?.n);
      expect(await rows(null), name).toEqual([]);
      expect(await rows('unknown'), name).toEqual([]);
    }
  });
});
