import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type AuditEvent, activityResponse, actorsResponse } from '@/lib/activity/schema';
import { account, accountLink, peopleResponse, person, pictureSaved } from '@/lib/people/schema';
import { membersResponse } from '@/lib/projects/schema';
import { makeToken } from '@/tests/app/support/access-tokens';
import { type Api, apiAt, expectProblem } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { form } from '@/tests/app/support/form';
import { type MailServer, startMailServer } from '@/tests/app/support/mail-server';
import { newAdmin, newUser, type Person } from '@/tests/app/support/people';
import { picture } from '@/tests/app/support/pictures';
import { poll } from '@/tests/app/support/poll';
import { unique } from '@/tests/app/support/specs';
import { makeProject } from '@/tests/app/support/team';
import { logFile, mailPassword } from '@/tests/setup/provided';

const { url, env, dataDir } = inject('atelier');
const anyone = apiAt(url);
const demoPassword = 'atelier-demo';
const newPassword = 'a long new password';

let mails: MailServer;
let adminPerson: Person;
let admin: Api;
const sql = openDatabase();
beforeAll(async () => {
  mails = await startMailServer(env.SMTP_URL ?? '');
  adminPerson = await newAdmin(env);
  admin = apiAt(url, adminPerson.headers);
});
afterAll(async () => {
  await mails.stop();
  await sql.end();
});

const newAddress = () => `invited-${randomUUID()}@atelier.test`;
const tokenIn = (text: string) => text.match(/\/set-password#([\w-]{43})/)?.[1] ?? '';
const readLink = (token: string) => anyone('/api/account/link', { json: { token } });
const useLink = (token: string, password = newPassword, name?: string) =>
  anyone('/api/account/link/password', { json: { token, password, name } });

/**
 * Tries to sign in. In the result, `refresh` is the Supabase client, and `api` is a function that calls the API. If the
 * sign-in fails, `api` makes anonymous calls, and `code` is the code of the error.
 */
async function trySignIn(email: string, password: string) {
  const client = createClient(
    env.NEXT_PUBLIC_SUPABASE_URL ?? '',
    env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? '',
    {
      auth: { persistSession: false, autoRefreshToken: false },
    },
  );
  const { data, error } = await client.auth.signInWithPassword({ email, password });
  return error
    ? { code: error.code, api: anyone, refresh: client }
    : { api: apiAt(url, { authorization: `Bearer ${data.session.access_token}` }), refresh: client };
}

async function invite(body: object) {
  const response = await admin('/api/admin/people', { json: body });
  expect(response.status).toBe(201);
  return accountLink.parse(response.body);
}
async function listed(email: string) {
  const { body } = await admin(`/api/admin/people?q=${encodeURIComponent(email)}`);
  return peopleResponse.parse(body).people[0];
}
const change = (id: string, json: object) => admin(`/api/admin/people/${id}`, { method: 'PATCH', json });

async function eventsOn(subjectId: string): Promise<AuditEvent[]> {
  const { body } = await admin(`/api/admin/activity?limit=100&from=2020-01-01`);
  return activityResponse.parse(body).events.filter((event) => event.subjectId === subjectId);
}

describe('an invitation', () => {
  test('an invitation by email leads to a password once, and its secret is neither logged nor stored', async () => {
    const email = newAddress();
    const { personId, purpose, url: shown } = await invite({ email });
    expect([purpose, shown]).toEqual(['invitation', null]);
    const mail = await mails.next(email);
    expect(mail).toMatchObject({ from: 'studio@atelier.test', to: email });
    expect(mail.text).toContain(`${env.APP_URL}/set-password#`);
    const token = tokenIn(mail.text);
    await poll('the message to be marked as sent', async () => (await listed(email))?.mail?.state === 'sent');
    expect(await listed(email)).toMatchObject({ state: 'invited', lastSeenAt: null, isAdmin: false });
    expect((await trySignIn(email, newPassword)).code).toBe('invalid_credentials');

    expect((await readLink(token)).body).toMatchObject({ email, purpose: 'invitation' });
    expectProblem(await useLink(token, 'short'), 'invalid_request');
    expect((await useLink(token, newPassword, 'Ines')).body).toEqual({ email });
    const { api } = await trySignIn(email, newPassword);
    expect(account.parse((await api('/api/account')).body)).toMatchObject({ id: personId, name: 'Ines' });
    expect(await listed(email)).toMatchObject({ state: 'active', name: 'Ines' });
    expect((await listed(email))?.lastSeenAt).not.toBeNull();

    expectProblem(await readLink(token), 'not_found');
    expectProblem(await useLink(token, 'another long password'), 'not_found');
    expect((await trySignIn(email, 'another long password')).code).toBe('invalid_credentials');
    const events = await eventsOn(personId);
    expect(events.map(({ action, actor }) => [action, actor])).toEqual([
      ['account.joined', email],
      ['account.invited', adminPerson.email],
    ]);
    const log = await readFile(logFile(dataDir), 'utf8');
    for (const secret of [token, newPassword, mailPassword]) expect(log).not.toContain(secret);
    expect(JSON.stringify(events)).not.toContain(token);
  });

  test('a copied link is returned once, and works until one of the links of the account is used', async () => {
    const email = newAddress();
    const { personId, url: first } = await invite({ email, isAdmin: true, copy: true });
    const again = await admin(`/api/admin/people/${personId}/link`, { json: { copy: true } });
    const second = accountLink.parse(again.body);
    expect(mails.waiting(email)).toBe(0);
    expect((await useLink(tokenIn(second.url ?? ''))).status).toBe(200);
    expectProblem(await readLink(tokenIn(first ?? '')), 'not_found');
    const { api } = await trySignIn(email, newPassword);
    expect((await api('/api/admin/people')).status).toBe(200);
  });

  test('an expired link and an address that has an account are refused', async () => {
    const email = newAddress();
    const { personId, url: link } = await invite({ email, copy: true });
    await sql`update private.account_links set expires_at = now() where user_id = ${personId}`;
    expectProblem(await useLink(tokenIn(link ?? '')), 'not_found');
    expectProblem(
      await admin('/api/admin/people', { json: { email: email.toUpperCase() } }),
      'already_exists',
    );
  });

  test('a message that the mail server rejects for now is sent again, with a link that works', async () => {
    const email = newAddress();
    mails.rejectNext(email, 451);
    const { personId } = await invite({ email });
    const token = tokenIn((await mails.next(email)).text);
    expect((await readLink(token)).status).toBe(200);
    const links = await sql`select 1 from private.account_links where user_id = ${personId}`;
    expect(links).toHaveLength(1);
  });

  test('a message that the mail server rejects permanently is shown as failed, with the reason', async () => {
    const email = newAddress();
    mails.rejectNext(email, 550);
    await invite({ email });
    const mail = await poll('the message to fail', async () => {
      const { mail = null } = (await listed(email)) ?? {};
      return mail?.state === 'failed' && mail;
    });
    expect(mail.reason).toBe('The mail server rejected the message with 550.');
  });
});

describe('a forgotten password', () => {
  const request = (email: string) => anyone('/api/account/reset', { json: { email } });
  /**
   * Returns the parts of a response that could reveal whether the address has an account: all but the date and the
   * request id.
   */
  const seen = ({ status, text, headers }: Awaited<ReturnType<Api>>) => ({
    status,
    text,
    headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
  });

  test('the response is the same whether or not the address has an account, even when there are too many requests', async () => {
    const { email } = await newUser(env);
    const unknown = newAddress();
    for (let call = 0; call < 3; call += 1) {
      const response = await request(email);
      expect(response.status).toBe(204);
      expect(seen(await request(unknown))).toEqual(seen(response));
    }
    for (const address of [email, email.toUpperCase(), unknown]) {
      expectProblem(await request(address), 'rate_limited');
    }
    await mails.next(email);
    const items = () =>
      sql`select 1 from private.account_mails where email = ${unknown} and state = 'pending'`;
    await poll(
      'the pending messages to the unknown address to be closed',
      async () => (await items()).length === 0,
    );
    expect(mails.waiting(unknown)).toBe(0);
  });

  test('a new password by a link signs out all sessions, and a disabled account gets no link', async () => {
    const someone = await newUser(env);
    const api = apiAt(url, someone.headers);
    await request(someone.email);
    const token = tokenIn((await mails.next(someone.email)).text);
    expect((await readLink(token)).body).toMatchObject({ purpose: 'reset' });
    expect((await useLink(token)).status).toBe(200);
    expectProblem(await api('/api/account'), 'unauthenticated');
    expect((await trySignIn(someone.email, demoPassword)).code).toBe('invalid_credentials');
    expect((await (await trySignIn(someone.email, newPassword)).api('/api/account')).status).toBe(200);
    expect((await eventsOn(someone.id)).map(({ action }) => action)).toEqual(['password.reset']);

    await change(someone.id, { isDisabled: true });
    expectProblem(await admin(`/api/admin/people/${someone.id}/link`, { json: {} }), 'state_conflict');
    await request(someone.email);
    const items = () =>
      sql`select 1 from private.account_mails where email = ${someone.email} and state = 'pending'`;
    await poll('the message to be closed', async () => (await items()).length === 0);
    expect(mails.waiting(someone.email)).toBe(0);
  });
});

test("changing one's own password requires the current one and signs out all sessions", async () => {
  const someone = await newUser(env);
  const own = apiAt(url, someone.headers);
  const other = await trySignIn(someone.email, demoPassword);
  expect((await other.api('/api/account')).status).toBe(200);
  const send = (currentPassword: string) =>
    own('/api/account/password', { json: { currentPassword, newPassword } });
  expectProblem(await send('not mine'), 'wrong_password');
  expect((await other.api('/api/account')).status).toBe(200);
  expect((await send(demoPassword)).status).toBe(204);
  for (const api of [own, other.api]) expectProblem(await api('/api/account'), 'unauthenticated');
  expect((await other.refresh.auth.refreshSession()).error).not.toBeNull();
  expect((await trySignIn(someone.email, demoPassword)).code).toBe('invalid_credentials');
  expect((await trySignIn(someone.email, newPassword)).code).toBeUndefined();
  const changed = { action: 'password.changed', actor: someone.email };
  expect(await eventsOn(someone.id)).toMatchObject([changed]);

  const { refresh: direct } = await trySignIn(someone.email, newPassword);
  const body = { password: demoPassword, current_password: newPassword };
  expect((await direct.auth.updateUser(body)).error).toBeNull();
  expect(await eventsOn(someone.id)).toMatchObject([changed, changed]);
});

describe('the people of the studio', () => {
  test('a disabled account immediately loses access with sessions and access tokens, until it is enabled', async () => {
    const someone = await newUser(env);
    const session = apiAt(url, someone.headers);
    const { token } = await makeToken(session, { role: 'viewer' });
    const byToken = apiAt(url, { authorization: `Bearer ${token}` });
    for (const api of [session, byToken]) expect((await api('/api/account')).status).toBe(200);
    const disabled = await change(someone.id, { isDisabled: true });
    expect(person.parse(disabled.body).state).toBe('disabled');
    for (const api of [session, byToken]) expectProblem(await api('/api/account'), 'unauthenticated');
    expect((await trySignIn(someone.email, demoPassword)).code).toBe('user_banned');
    expect(person.parse((await change(someone.id, { isDisabled: false })).body).state).toBe('active');
    expectProblem(await session('/api/account'), 'unauthenticated');
    expect((await byToken('/api/account')).status).toBe(200);
    expect((await trySignIn(someone.email, demoPassword)).code).toBeUndefined();
  });

  test('a new administrator gets the role with the next session, can lose it at once, and cannot disable their own account', async () => {
    const someone = await newUser(env);
    expect((await change(someone.id, { isAdmin: true })).status).toBe(200);
    const { api } = await trySignIn(someone.email, demoPassword);
    expect((await api('/api/admin/people')).status).toBe(200);
    const own = await api(`/api/admin/people/${someone.id}`, { method: 'PATCH', json: { isDisabled: true } });
    expectProblem(own, 'state_conflict');
    await change(someone.id, { isAdmin: false });
    expectProblem(await api('/api/admin/people'), 'forbidden');
    expect((await eventsOn(someone.id)).map(({ action }) => action)).toEqual([
      'role.removed',
      'role.granted',
    ]);
  });

  test('an access token of an administrator lists people, but cannot invite or change them or create links', async () => {
    const { token } = await makeToken(admin, { role: 'admin' });
    const script = apiAt(url, { authorization: `Bearer ${token}` });
    expect((await script(`/api/admin/people/${adminPerson.id}`)).status).toBe(200);
    const calls: [string, object][] = [
      ['', { json: { email: newAddress(), isAdmin: true, copy: true } }],
      [`/${adminPerson.id}/link`, { json: { copy: true } }],
      [`/${adminPerson.id}`, { method: 'PATCH', json: { isAdmin: true } }],
    ];
    for (const [path, call] of calls) {
      expectProblem(await script(`/api/admin/people${path}`, call), 'forbidden');
    }
  });

  test('the list is read page by page and filtered by state', async () => {
    const kind = unique('page').toLowerCase().replaceAll(' ', '-');
    const created = [];
    for (let n = 0; n < 3; n += 1) created.push(await newUser(env, kind));
    await change(created[1]?.id ?? '', { isDisabled: true });
    const read = async (query: string) =>
      peopleResponse.parse((await admin(`/api/admin/people?q=${kind}&${query}`)).body);
    const first = await read('limit=2');
    const rest = await read(`limit=2&cursor=${first.nextCursor}`);
    expect([...first.people, ...rest.people].map(({ id }) => id)).toEqual(
      created.map(({ id }) => id).reverse(),
    );
    expect(rest.nextCursor).toBeNull();
    expect((await read('state=disabled')).people.map(({ id }) => id)).toEqual([created[1]?.id]);
  });

  test('a name and a picture are shown to the other members of a project, and can be removed', async () => {
    const someone = await newUser(env);
    const api = apiAt(url, someone.headers);
    const projectId = await makeProject(api);
    await api('/api/account', { method: 'PUT', json: { name: ' Ines  Durand ' } });
    const file = (value: Uint8Array) =>
      form([{ name: 'file', value, fileName: 'me.png', type: 'image/png' }]);
    const uploaded = await api('/api/account/picture', file(await picture()));
    const path = pictureSaved.parse(uploaded.body).picture ?? '';
    const shown = await fetch(`${url}${path}`, { headers: adminPerson.headers });
    expect(shown.headers.get('cache-control')).toContain('immutable');
    expect(await sharp(await shown.arrayBuffer()).metadata()).toMatchObject({
      format: 'webp',
      width: 192,
      height: 192,
    });
    // A URL without the current version can show another picture later, so its response must not be cached.
    for (const other of [path.replace(/\?.*/, ''), path.replace(/v=.*/, 'v=0123456789abcdef')]) {
      const { headers } = await fetch(`${url}${other}`, { headers: adminPerson.headers });
      expect([other, headers.get('cache-control')]).toEqual([other, 'private, no-store']);
    }
    const { body } = await admin(`/api/projects/${projectId}/members`);
    expect(membersResponse.parse(body).members).toMatchObject([{ name: 'Ines  Durand', picture: path }]);

    expectProblem(await api('/api/account/picture', file(Buffer.from('<svg/>'))), 'invalid_image');
    await api('/api/account/picture', { method: 'DELETE' });
    await api('/api/account', { method: 'PUT', json: {} });
    expect((await api('/api/account')).body).toMatchObject({ name: null, picture: null });
    expect((await fetch(`${url}${path}`, { headers: adminPerson.headers })).status).toBe(404);
  });
});

test('the activity names actor and request, is filtered, and is downloaded as CSV without formulas', async () => {
  const person = await newAdmin(env);
  const api = apiAt(url, person.headers);
  const name = `=HYPERLINK("x") ${unique('Activity')}`;
  await api('/api/admin/brands', { json: { name } });
  const headers = { 'x-request-id': `request-${randomUUID()}` };
  await api('/api/admin/brands/delete', { json: { name }, headers });
  await makeToken(api, { role: 'viewer' });
  const read = async (query: string) =>
    activityResponse.parse((await api(`/api/admin/activity?actor=${person.id}&${query}`)).body);
  const deleted = {
    action: 'brand.deleted',
    actor: person.email,
    subject: name,
    requestId: headers['x-request-id'],
  };
  expect((await read('')).events).toMatchObject([{ action: 'token.created' }, deleted]);
  expect((await read('action=brand.deleted')).events).toMatchObject([deleted]);
  expect((await read('to=2020-01-01')).events).toEqual([]);
  const first = await read('limit=1');
  expect((await read(`limit=1&cursor=${first.nextCursor}`)).events).toMatchObject([deleted]);
  const { actors } = actorsResponse.parse((await api('/api/admin/activity/actors')).body);
  expect(actors).toContainEqual({ id: person.id, name: person.email });

  const csv = await api(`/api/admin/activity/csv?actor=${person.id}`);
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const lines = csv.text.split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[2]).toContain(`,"'${name.replaceAll('"', '""')}",`);
});
