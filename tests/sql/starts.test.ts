import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { openSession } from './support/sessions';

let db: TestDatabase;
let project: string;
const people = { owner: '', editor: '', viewer: '', stranger: '', admin: '' };

async function addUser(isAdmin = false): Promise<string> {
  const id = randomUUID();
  await db.sql`insert into auth.users (id, email, raw_app_meta_data)
    values (${id}, ${`${id}@x.test`}, ${isAdmin ? '{"role": "admin"}' : '{}'}::text::jsonb)`;
  return id;
}

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());
beforeEach(async () => {
  for (const name of ['owner', 'editor', 'viewer', 'stranger'] as const) people[name] = await addUser();
  people.admin = await addUser(true);
  const [row] = await db.sql`select public.create_project(${people.owner}, 'House') as answer`;
  project = row?.answer.id;
  for (const role of ['editor', 'viewer'] as const) {
    await db.sql`insert into public.project_members (project_id, user_id, role)
      values (${project}, ${people[role]}, ${role})`;
  }
});

const rights = { claims_admin: false, token_key: null, role: 'editor', burst: 2, interval_ms: 60_000 };

/** Returns `p_caller` of a call in a new session of the user. */
async function callerOf(user: string, changes: object): Promise<string> {
  const { id } = await openSession(db.sql, user);
  return JSON.stringify({ ...rights, session_id: id, ...changes });
}

/** Starts an image job with an idempotency key, and returns the outcome. */
async function start(user: string, caller: object = {}): Promise<{ outcome: string; wait_ms?: number }> {
  const [row] = await db.sql`
    select public.create_image_job(${user}, ${project}, 'A lobby', p_idempotency_key => ${randomUUID()},
      p_request_sha256 => 'a', p_caller => ${await callerOf(user, caller)}::text::jsonb) as answer`;
  return row?.answer;
}
async function stored() {
  const [row] = await db.sql`
    select (select count(*)::int from public.image_jobs where project_id = ${project}) as jobs,
           (select count(*)::int from public.spec_uploads where created_by = any (${Object.values(people)})) as specs,
           (select count(*)::int from private.idempotency_keys k where k.user_id = any (${Object.values(people)})
             and k.scope in ('image_jobs', 'specs')) as keys,
           (select count(*)::int from private.rate_buckets
             where key = any (${Object.values(people).map((id) => `costly:${id}`)})) as counted`;
  return { ...row };
}

test('a start without the required role is refused, is not counted and stores nothing', async () => {
  expect(await start(people.stranger)).toEqual({ outcome: 'not_found' });
  expect(await start(people.viewer)).toEqual({ outcome: 'forbidden' });
  expect(await start(people.editor, { role: 'owner' })).toEqual({ outcome: 'forbidden' });
  expect(await start(people.owner, { role: null })).toEqual({ outcome: 'forbidden' });
  // Admin rights require both an admin account and a session that claims the admin role.
  expect(await start(people.stranger, { claims_admin: true })).toEqual({ outcome: 'not_found' });
  expect(await start(people.admin)).toEqual({ outcome: 'not_found' });
  expect(await stored()).toEqual({ jobs: 0, specs: 0, keys: 0, counted: 0 });
});

test('members with the role and admins start work until they reach the rate limit', async () => {
  for (const [user, caller] of [
    [people.editor, {}],
    [people.owner, {}],
    [people.admin, { claims_admin: true }],
  ] as const) {
    expect(await start(user, caller)).toMatchObject({ outcome: 'created' });
    expect(await start(user, caller)).toMatchObject({ outcome: 'created' });
    const limited = await start(user, caller);
    expect(limited.outcome).toBe('rate_limited');
    expect(limited.wait_ms).toBeGreaterThan(0);
  }
  expect(await stored()).toEqual({ jobs: 6, specs: 0, keys: 6, counted: 3 });
});

test('an access token limits the role of its owner', async () => {
  const keyOf = async (role: string) => {
    const key = randomBytes(32).toString('hex');
    await db.sql`select public.create_access_token(${people.owner}, ${people.owner}, false, 'Script', ${role}, ${key},
      'abcd', 1)`;
    return key;
  };
  expect(await start(people.owner, { token_key: await keyOf('viewer') })).toEqual({ outcome: 'forbidden' });
  expect(await start(people.owner, { token_key: 'unknown' })).toEqual({ outcome: 'not_found' });
  expect(await start(people.owner, { token_key: await keyOf('editor') })).toMatchObject({
    outcome: 'created',
  });
});

test('no one can start work in a deleted project, not even an admin', async () => {
  const [row] =
    await db.sql`select public.create_image_job(${people.owner}, ${project}, 'A lobby') as answer`;
  const job = row?.answer.job_id;
  await db.sql`update public.projects set deleted_at = now() where id = ${project}`;
  for (const user of [people.owner, people.admin]) {
    const caller = await callerOf(user, { claims_admin: true });
    expect(await start(user, { claims_admin: true })).toEqual({ outcome: 'not_found' });
    const [answers] = await db.sql`
      select public.send_image_message(${user}, ${job}, 'Warmer', p_caller => ${caller}::text::jsonb) as sent,
             public.retry_image_job(${job}, ${user}, ${caller}::text::jsonb) as retried`;
    expect(answers).toEqual({ sent: { outcome: 'not_found' }, retried: { outcome: 'not_found' } });
  }
});

const adminRights = { claims_admin: true, role: 'admin' };

/** Creates a spec upload with an idempotency key, and returns the outcome. */
async function upload(user: string, caller: object = {}): Promise<{ outcome: string; wait_ms?: number }> {
  const id = randomUUID();
  const [row] = await db.sql`
    select public.create_spec_upload(${user}, ${id}, 'Brand', 'Area', ${`specs/brand/${id}/a.pdf`}, 'a.pdf', 10,
      ${randomBytes(32).toString('hex')}, p_idempotency_key => ${randomUUID()}, p_request_sha256 => 'a',
      p_caller => ${await callerOf(user, { ...adminRights, ...caller })}::text::jsonb) as answer`;
  return row?.answer;
}
test('an upload without the admin role, and a start or upload without an own session, are refused, are not counted and store nothing', async () => {
  expect(await upload(people.owner)).toEqual({ outcome: 'forbidden' });
  expect(await upload(people.admin, { claims_admin: false })).toEqual({ outcome: 'forbidden' });
  expect(await upload(people.admin, { claims_admin: null })).toEqual({ outcome: 'forbidden' });
  for (const session_id of [randomUUID(), null, (await openSession(db.sql, people.owner)).id]) {
    expect(await upload(people.admin, { session_id })).toEqual({ outcome: 'unauthenticated' });
    expect(await start(people.editor, { session_id })).toEqual({ outcome: 'unauthenticated' });
  }
  await db.sql`update auth.users set banned_until = now() + interval '1 hour' where id = ${people.admin}`;
  expect(await upload(people.admin)).toEqual({ outcome: 'unauthenticated' });
  expect(await upload(people.admin, { token_key: 'unknown' })).toEqual({ outcome: 'forbidden' });
  expect(await stored()).toEqual({ jobs: 0, specs: 0, keys: 0, counted: 0 });
});

test('admins and their access tokens upload until they reach the rate limit', async () => {
  await db.sql`insert into public.brands (name) values ('Brand') on conflict do nothing`;
  await db.sql`insert into public.area_types (name) values ('Area') on conflict do nothing`;
  const tokens = { admin: randomBytes(32).toString('hex'), owner: randomBytes(32).toString('hex') };
  for (const [role, key] of Object.entries(tokens)) {
    await db.sql`select public.create_access_token(${people.admin}, ${people.admin}, false, 'Script', ${role}, ${key},
      'abcd', 1)`;
  }
  expect(await upload(people.admin, { token_key: tokens.owner })).toEqual({ outcome: 'forbidden' });
  expect(await upload(people.admin)).toMatchObject({ outcome: 'created' });
  expect(await upload(people.admin, { token_key: tokens.admin })).toMatchObject({ outcome: 'created' });
  const limited = await upload(people.admin);
  expect(limited.outcome).toBe('rate_limited');
  expect(limited.wait_ms).toBeGreaterThan(0);
  expect(await stored()).toEqual({ jobs: 0, specs: 2, keys: 2, counted: 1 });
});
