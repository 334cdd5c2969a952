import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { buildDocument } from '@/app/openapi/document';
import { type Api, apiAt } from '@/tests/app/support/api';
import { newUser, signInWithCookies } from '@/tests/app/support/people';

const { url, env } = inject('atelier');
const { APP_URL: appUrl = '', NEXT_PUBLIC_SUPABASE_URL: supabaseUrl = '' } = env;

describe('GET /api/openapi.json', () => {
  test('GET /api/openapi.json returns the document of the current source code to everyone, and 304 to a client that has it', async () => {
    const result = await apiAt(url)('/api/openapi.json');
    expect(result.status).toBe(200);
    expect(result.body).toEqual(JSON.parse(JSON.stringify(await buildDocument({ appUrl, supabaseUrl }))));
    const etag = result.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/".+"$/);
    const again = await apiAt(url)('/api/openapi.json', { headers: { 'if-none-match': etag } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
  });
});

test('the session cookie has the name that the document gives', async () => {
  const { components } = await buildDocument({ appUrl, supabaseUrl });
  const { name } = (components.securitySchemes as { session: { name: string } }).session;
  const { email } = await newUser(env);
  const { cookie } = await signInWithCookies(env, email);
  expect(cookie.split('=')[0]?.replace(/\.\d$/, '')).toBe(name);
});

describe('checks of every response against the document', () => {
  const requestId = 'request-of-a-test';
  const problem = (code: string, status: number) => ({
    type: `urn:atelier:problem:${code}`,
    title: 'Title',
    status,
    detail: 'Detail.',
    code,
    requestId,
  });
  let next: { status: number; type: string; body: unknown };
  // This server returns the response that a test has put in `next`, whether it is documented or not.
  const server = createServer((_, response) => {
    response.writeHead(next.status, { 'content-type': next.type, 'x-request-id': requestId });
    response.end(typeof next.body === 'string' ? next.body : JSON.stringify(next.body));
  });
  let wrong: Api;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    wrong = apiAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterAll(() => server.close());

  const json = 'application/json';
  const problemJson = 'application/problem+json';
  const brands = '/api/admin/brands';

  test.each([
    ['the documented one', 200, json, { brands: ['Nordlys'] }, null],
    ['another status', 206, json, { brands: [] }, 'the status is not told of'],
    ['another media type', 200, 'text/plain', { brands: [] }, 'the media type is text/plain'],
    ['an undocumented member', 200, json, { brands: [], secret: 'x' }, 'additional properties'],
    ['a member of another type', 200, json, { brands: [7] }, 'must be string'],
    ['a missing member', 200, json, {}, "must have required property 'brands'"],
    ['the documented problem', 401, problemJson, problem('unauthenticated', 401), null],
    ['a problem of another code', 401, problemJson, problem('not_found', 404), 'must be equal to one of'],
    ['a problem without a code', 401, problemJson, { title: 'Title' }, 'must have required property'],
  ])('the check of a response gives the right verdict on %s', async (_, status, type, body, complaint) => {
    next = { status, type, body };
    const call = wrong(brands);
    if (complaint === null) expect((await call).status).toBe(status);
    else await expect(call).rejects.toThrow(complaint);
  });

  test('a response for which no operation is documented may only be a problem', async () => {
    next = { status: 405, type: problemJson, body: problem('method_not_allowed', 405) };
    expect((await wrong(brands, { method: 'DELETE' })).status).toBe(405);
    await expect(wrong('/api/nothing')).rejects.toThrow('there is no such operation');
    next = { status: 200, type: json, body: {} };
    await expect(wrong(brands, { method: 'DELETE' })).rejects.toThrow('there is no such operation');
  });
});
