import { NextRequest } from 'next/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { limitVisits } from '@/lib/share-links/limit-visits';
import { proxy } from '@/proxy';
import { stubSettings } from '@/tests/settings/stub-settings';

beforeAll(() => {
  stubSettings('http://127.0.0.1:1', { RATE_LIMIT_OTHER: '3' });
  // Stop the clock. The limits allow further calls as time passes, so a slow test might otherwise never reach a limit.
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const visit = (token: string, address: string) =>
  limitVisits(new Headers({ 'x-forwarded-for': `10.9.9.9, ${address}` }), token);

test('visits are limited for each address, regardless of the links that it opens', () => {
  for (const token of ['a', 'b', 'c']) visit(token, '203.0.113.7');
  expect(() => visit('d', '203.0.113.7')).toThrow('Too many requests');
  expect(() => visit('d', '203.0.113.8')).not.toThrow();
});

test('visits are limited for each link, regardless of the addresses that open it', () => {
  for (let n = 0; n < 30; n += 1) visit('e', `198.51.100.${n}`);
  expect(() => visit('e', '198.51.100.99')).toThrow('Too many requests');
  expect(() => visit('f', '198.51.100.98')).not.toThrow();
});

test('calls that need no account are limited for each address, before they reach the database', async () => {
  const routes = await Promise.all([
    import('@/app/api/account/link/route'),
    import('@/app/api/account/link/password/route'),
    import('@/app/api/account/reset/route'),
  ]);
  const body = { token: 'x'.repeat(43), password: 'a long new password', email: 'ines@studio.example' };
  const statusOf = async ({ POST }: (typeof routes)[number]) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' };
    const request = new Request('http://127.0.0.1/', { method: 'POST', headers, body: JSON.stringify(body) });
    return (await POST(request, { params: Promise.resolve({}) })).status;
  };
  for (let n = 0; n < 3; n += 1) visit(`h${n}`, '203.0.113.9');
  for (const route of routes) expect(await statusOf(route)).toBe(429);
});

test('a share link that is opened too often gives a 429, and other pages are not counted', async () => {
  const open = (path: string) =>
    proxy(new NextRequest(`http://127.0.0.1${path}`, { headers: { 'x-forwarded-for': '192.0.2.1' } }));
  for (let n = 0; n < 3; n += 1) expect((await open('/share/g')).status).toBe(200);
  const refused = await open('/share/g');
  expect([refused.status, await refused.text()]).toEqual([429, 'Too many requests. Try again in 20 s.']);
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    'retry-after': '20',
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
  });
  expect((await open('/sign-in')).status).toBe(200);
});
