import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { imagesOfJob, jobWithImages } from './support/image-jobs';
import { makeSpec } from './support/make-spec';
import { inSession, openSession, type Session } from './support/sessions';

let db: TestDatabase;
let user: string;
let session: Awaited<ReturnType<typeof openSession>>;
let project: string;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

beforeEach(async () => {
  user = randomUUID();
  await db.sql`insert into auth.users (id, email, raw_app_meta_data)
    values (${user}, ${`${user}@x.test`}, '{"role": "admin"}')`;
  session = await openSession(db.sql, user, 'admin');
  const [row] = await db.sql`select public.create_project(${user}, 'Mine') as answer`;
  project = row?.answer.id;
});

/** Runs `work` with a token that was issued to an admin and still claims that role. */
const asHolder = <T>(work: (sql: TestDatabase['sql']) => Promise<T>) => inSession(db.sql, session, work);

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
    expect(await db.sql`select * from public.account_state(${user}, ${session.id})`).toMatchObject([
      { is_active: true, is_admin: true },
    ]);
  });

  test('a token of a deleted account has no rights', async () => {
    await db.sql`delete from auth.users where id = ${user}`;
    expect(await rights()).toEqual(none);
    expect(await db.sql`select * from public.account_state(${user}, ${session.id})`).toMatchObject([
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
    expect(await db.sql`select * from public.account_state(${user}, ${session.id})`).toMatchObject([
      { is_active: true, is_admin: false },
    ]);
  });
});

describe('what a token reads', () => {
  /** Fills every table that users may read. Returns a call of each function that users may call. */
  async function fill(): Promise<Record<string, string>> {
    const { sql } = db;
    const spec = await makeSpec(sql);
    await sql`insert into public.spec_pages (spec_id, page, text) values (${spec}, 1, 'Oak')`;
    await sql`insert into public.spec_sections (spec_id, ordinal, title, source)
      values (${spec}, 1, 'Floors', 'outline')`;
    const [image] = await imagesOfJob(sql, await jobWithImages(sql, project, 1));
    await sql`select public.create_image_swap(${user}, ${project}, ${image?.id ?? ''}, 'the floor',
      '[{"prompt": "With oak", "material": {"id": "oak", "name": "Oak"}}]', '{}', 99, null, null, null)`;
    await sql`insert into public.document_images (project_id, storage_path, file_name, mime_type, size_bytes, width,
        height, sha256)
      values (${project}, ${`images/${randomUUID()}`}, 'a.png', 'image/png', 1, 1, 1, ${'0'.repeat(64)})`;
    await sql`select public.save_project_pages(${user}, ${project}, 0, 'A4', 'portrait', '{}', '[]', 'en', '{}')`;
    await sql`insert into public.export_jobs (project_id, snapshot, input_sha256)
      values (${project}, '{}', ${'0'.repeat(64)})`;
    const [deleted] = await sql`select public.create_project(${user}, 'Old') as answer`;
    await sql`select public.delete_project(${deleted?.answer.id})`;
    return {
      find_specs: "select 1 from jsonb_array_elements(public.find_specs() -> 'specs')",
      list_deleted_projects: 'select name from public.list_deleted_projects(3600, 10)',
      project_access: `select role from public.project_access('${project}')
        union all select role from public.project_access('${deleted?.answer.id}', p_deleted_within_s => 3600)`,
      read_spec: `select 1 where public.read_spec('${spec}') is not null`,
      read_spec_sections: `select 1 where public.read_spec_sections('${spec}') is not null`,
    };
  }

  test('a token reads nothing from any table or function once its session has ended, and cannot join a topic', async () => {
    const calls = await fill();
    const functions = await db.sql<{ name: string }[]>`
      select proname as name from pg_proc
       where pronamespace = 'public'::regnamespace and has_function_privilege('authenticated', oid, 'execute')`;
    expect(Object.keys(calls).sort()).toEqual(functions.map(({ name }) => name).sort());
    const relations = await db.sql<{ name: string }[]>`
      select oid::regclass::text as name from pg_class
       where relnamespace = 'public'::regnamespace and has_any_column_privilege('authenticated', oid, 'select')`;
    const reads = {
      ...calls,
      ...Object.fromEntries(relations.map(({ name }) => [name, `select 1 from ${name}`])),
      topic: `select 1 where private.can_read_topic('project:${project}')`,
    };
    const readable = async (by: Session) => {
      const found = [];
      for (const [name, query] of Object.entries(reads)) {
        if ((await inSession(db.sql, by, (sql) => sql.unsafe(query))).length > 0) found.push(name);
      }
      return found;
    };
    expect(await readable(session)).toEqual(Object.keys(reads));
    const someone = randomUUID();
    await db.sql`insert into auth.users (id, email) values (${someone}, ${`${someone}@x.test`})`;
    const stolen = { ...session, id: (await openSession(db.sql, someone)).id };
    const { id: _, ...withoutSession } = session;
    await db.sql`delete from auth.sessions where id = ${session.id}`;
    for (const ended of [session, stolen, withoutSession]) expect(await readable(ended)).toEqual([]);
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
