import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';

let db: TestDatabase;
let user: string;
let project: string;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

beforeEach(async () => {
  user = randomUUID();
  await db.sql`insert into auth.users (id, email, raw_app_meta_data)
    values (${user}, ${`${user}@x.test`}, '{"role": "admin"}')`;
  const [row] = await db.sql`select public.create_project(${user}, 'Mine') as answer`;
  project = row?.answer.id;
});

/** Runs `work` with a token that was issued to an admin and still claims that role. */
function asHolder<T>(work: (sql: TestDatabase['sql']) => Promise<T>): Promise<T> {
  const claims = JSON.stringify({ sub: user, role: 'authenticated', app_metadata: { role: 'admin' } });
  return db.sql.begin(async (sql) => {
    await sql`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true),
      set_config('request.jwt.claim.sub', ${user}, true)`;
    return work(sql as unknown as TestDatabase['sql']);
  }) as Promise<T>;
}

const rights = () =>
  asHolder(async (sql) => {
    const [row] = await sql`select private.is_admin() as admin,
      (select array_agg(p) from private.my_projects() p) as projects,
      (select array_agg(name) from public.projects where id = ${project}) as seen,
      (select role from public.project_access(${project})) as role`;
    return row && { ...row };
  });

const none = { admin: false, projects: null, seen: null, role: null };

describe('the rights of a token', () => {
  test('a token of an admin has every right', async () => {
    expect(await rights()).toEqual({ admin: true, projects: [project], seen: ['Mine'], role: 'owner' });
    expect(await db.sql`select * from public.account_state(${user})`).toMatchObject([
      { is_active: true, is_admin: true },
    ]);
  });

  test('a token of a deleted account has no rights', async () => {
    await db.sql`delete from auth.users where id = ${user}`;
    expect(await rights()).toEqual(none);
    expect(await db.sql`select * from public.account_state(${user})`).toMatchObject([
      { is_active: false, is_admin: false },
    ]);
  });

  test('a token of a banned account has no rights until the ban has ended', async () => {
    await db.sql`update auth.users set banned_until = now() + interval '1 hour' where id = ${user}`;
    expect(await rights()).toEqual(none);
    await db.sql`update auth.users set banned_until = now() - interval '1 hour' where id = ${user}`;
    expect(await rights()).toMatchObject({ admin: true, role: 'owner' });
  });

  test('a token of a former admin keeps only the rights of a member', async () => {
    await db.sql`update auth.users set raw_app_meta_data = '{}' where id = ${user}`;
    expect(await rights()).toEqual({ admin: false, projects: [project], seen: ['Mine'], role: 'owner' });
    expect(await db.sql`select * from public.account_state(${user})`).toMatchObject([
      { is_active: true, is_admin: false },
    ]);
  });
});

describe('the rate limit of costly requests', () => {
  const start = (burst: number, ms: number) =>
    asHolder(
      (sql) =>
        sql`select wait_ms from public.project_access(${project}, p_burst => ${burst}, p_interval_ms => ${ms})`,
    );
  const filled = async () =>
    (await db.sql<{ tat: Date }[]>`select tat from private.rate_buckets where key = ${`costly:${user}`}`)[0]
      ?.tat;

  test.each([
    [-1_000_000, -1_000_000],
    [60, -1_000],
    [-60, 1_000],
    [0, 1_000],
    [60, 0],
  ])(
    'a caller cannot empty the bucket of costly requests with its own bounds (%i in steps of %i ms)',
    async (burst, ms) => {
      for (let i = 0; i < 3; i++) expect(await start(3, 60_000)).toMatchObject([{ wait_ms: 0 }]);
      const before = await filled();
      await expect(start(burst, ms)).rejects.toThrow('must be positive');
      expect(await filled()).toEqual(before);
      const [refused] = await start(3, 60_000);
      expect(refused?.wait_ms).toBeGreaterThan(0);
    },
  );

  test('a caller cannot empty the bucket of costly requests, regardless of the positive bounds that it passes', async () => {
    await start(3, 60_000);
    const before = await filled();
    await start(2_000_000, 1);
    expect(Number(await filled())).toBeGreaterThanOrEqual(Number(before));
  });
});

test('the read-only view of specs refuses a write with a permission error', async () => {
  const write = asHolder((sql) => sql`delete from public.specs where id = ${randomUUID()}`);
  await expect(write).rejects.toMatchObject({ code: '42501' });
});

test('a process can compare its clock with that of the database', async () => {
  const [row] = await db.sql<
    { ms: number }[]
  >`select public.clock_ms() as ms, extract(epoch from clock_timestamp()) * 1000 as now`;
  const [now] = await db.sql<
    { ms: number }[]
  >`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
  expect(row?.ms).toBeGreaterThan(1.7e12);
  expect(row?.ms).toBeLessThanOrEqual(now?.ms ?? 0);
});
