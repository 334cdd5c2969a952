import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { clientAddress, refreshFetch } from '@/lib/supabase/refresh-fetch';

test.each([
  ['x-real-ip', { 'x-real-ip': '203.0.113.7' }, '203.0.113.7'],
  ['X-Forwarded-For', { 'x-forwarded-for': '10.9.9.9, 203.0.113.7' }, '203.0.113.7'],
  ['x-real-ip', { 'x-real-ip': '2001:db8::1' }, '2001:db8::1'],
  ['x-real-ip', { 'x-real-ip': 'unknown' }, null],
  ['x-real-ip', { 'x-forwarded-for': '203.0.113.7' }, null],
  [undefined, { 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.7' }, null],
])('the client address in %s of %j is %s', (header, headers, address) => {
  expect(clientAddress(new Headers(headers as Record<string, string>), header)).toBe(address);
});

let server: Server;
let url: string;
const seen: IncomingHttpHeaders[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request.headers);
    response.end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/auth/v1/token`;
  const secret = 'x'.repeat(32);
  const settings = {
    NEXT_PUBLIC_SUPABASE_URL: url,
    NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_for_this_test',
    SUPABASE_SECRET_KEY: 'sb_secret_for_this_test_only',
    APP_URL: url,
    SPEC_WORKFLOW_URL: url,
    IMAGE_WORKFLOW_URL: url,
    WEBHOOK_SECRET: secret,
    IMAGE_WEBHOOK_SECRET: secret,
    WORKFLOW_SIGNING_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
    CRON_SECRET: secret,
    MATLIB_URL: url,
    CLIENT_ADDRESS_HEADER: 'x-real-ip',
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});

test('a session refresh forwards the address of the client if it is known, and uses the secret key only then', async () => {
  const init = { headers: { apikey: 'sb_publishable_for_this_test', authorization: 'Bearer x' } };
  await refreshFetch(new Headers({ 'x-real-ip': '203.0.113.7' }), 5_000)(url, init);
  await refreshFetch(new Headers({ 'x-real-ip': 'nonsense' }), 5_000)(url, init);
  expect(seen).toMatchObject([
    { 'sb-forwarded-for': '203.0.113.7', apikey: 'sb_secret_for_this_test_only' },
    { apikey: 'sb_publishable_for_this_test', authorization: 'Bearer x' },
  ]);
  expect(seen[1]).not.toHaveProperty('sb-forwarded-for');
});
