import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { apiAt, expectProblem } from '@/tests/app/support/api';
import { newAdmin, type Person, signInWithCookies } from '@/tests/app/support/people';
import { unique } from '@/tests/app/support/specs';

const { url, env } = inject('atelier');
const evil = { origin: 'https://evil.example' };
let admin: Person;
let cookies: { cookie: string };
const create = (headers: Record<string, string>) =>
  apiAt(url, headers)('/api/admin/brands', { json: { name: unique('Session') } });

beforeAll(async () => {
  admin = await newAdmin(env);
  cookies = await signInWithCookies(env, admin.email);
});

test.each(['a.b.c', 'abcd.abcd.abcd', 'e30.e30.e30'])('an invalid token (%s) gets 401', async (token) => {
  expectProblem(await create({ authorization: `Bearer ${token}` }), 'unauthenticated');
});

describe('a session in cookies', () => {
  test('a session in cookies can read, and change things from our own pages', async () => {
    expect((await apiAt(url, cookies)('/api/admin/specs')).status).toBe(200);
    expect((await create({ ...cookies, origin: env.APP_URL ?? '' })).status).toBe(201);
    expect((await create({ ...cookies, origin: url, 'sec-fetch-site': 'same-origin' })).status).toBe(201);
  });

  test('a session in cookies of a user who is not an admin cannot change admin data', async () => {
    const member = await signInWithCookies(env, 'member@atelier.test');
    expect((await apiAt(url, member)('/api/admin/brands')).status).toBe(200);
    expectProblem(await create({ ...member, origin: url }), 'forbidden');
  });

  test.each([
    evil,
    { origin: 'null' },
    { origin: `${url}.evil.example` },
    { origin: url.replace(/:\d+$/, ':1') },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('a session in cookies cannot change things from another site: %o', async (headers) => {
    expectProblem(await create({ ...cookies, ...headers }), 'bad_origin');
  });

  test('a session cookie that was cut or changed gets 401', async () => {
    const { cookie } = cookies;
    expectProblem(await create({ cookie: cookie.slice(0, -40), origin: url }), 'unauthenticated');
    const changed = cookie.replace(/=(base64-.{200})../, '=$1AA');
    expect(changed).not.toBe(cookie);
    expectProblem(await create({ cookie: changed, origin: url }), 'unauthenticated');
  });
});

test('a bearer token needs no origin, and takes precedence over cookies', async () => {
  expect((await create({ ...admin.headers, ...evil })).status).toBe(201);
  expect((await create({ ...admin.headers, ...cookies, ...evil })).status).toBe(201);
  expectProblem(await create({ ...cookies, authorization: 'Bearer a.b.c', origin: url }), 'unauthenticated');
});

/** Sends the head of a request and only the first bytes of its body; returns the status. */
function statusOfUnfinished(path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}${path}`, { method: 'POST', headers });
    request.on('response', (response) => {
      resolve(response.statusCode);
      request.destroy();
    });
    request.on('error', reject);
    // The rest of the body is never sent, so the server must respond without it.
    request.write('{"spec_upload_id": "');
  });
}

describe.each([
  ['with a declared length', { 'content-length': String(10 * 1024 ** 3) }],
  ['of unknown length', { 'transfer-encoding': 'chunked' }],
])('before a body %s has arrived', (name, length) => {
  const json = { 'content-type': 'application/json', ...length };

  test(`a wrong secret is refused before a body ${name} has arrived`, async () => {
    const wrong = { ...json, 'x-webhook-secret': 'x'.repeat(43) };
    expect(await statusOfUnfinished('/api/admin/specs/callback', wrong)).toBe(401);
  });

  test(`a caller without the role is refused before a body ${name} has arrived`, async () => {
    expect(await statusOfUnfinished('/api/admin/specs/upload', json)).toBe(401);
    const member = await signInWithCookies(env, 'member@atelier.test');
    expect(await statusOfUnfinished('/api/admin/specs/upload', { ...json, ...member, origin: url })).toBe(
      403,
    );
  });
});
