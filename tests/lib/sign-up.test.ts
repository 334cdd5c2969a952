import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { isSignUpOpen } from '@/lib/auth/sign-up';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Starts a fake auth service with these settings; `requests` lists the requests that it has received. */
async function service(settings: unknown) {
  const requests: { path?: string; key: unknown }[] = [];
  const server = createServer((request, response) => {
    requests.push({ path: request.url, key: request.headers.apikey });
    response.end(typeof settings === 'string' ? settings : JSON.stringify(settings));
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

test.each([
  [{ disable_signup: false, external: { email: true } }, true],
  [{ disable_signup: true }, false],
  [{}, null],
  ['no JSON', null],
])('isSignUpOpen with the settings %j of the auth service returns %j', async (settings, isOpen) => {
  const { url, requests } = await service(settings);
  expect(await isSignUpOpen(url, 'sb_publishable_x')).toBe(isOpen);
  expect(requests).toEqual([{ path: '/auth/v1/settings', key: 'sb_publishable_x' }]);
});

test('isSignUpOpen caches a response, but asks again after the service did not return settings', async () => {
  const { url, requests } = await service({ disable_signup: false });
  await isSignUpOpen(url, 'key');
  expect(await isSignUpOpen(url, 'key')).toBe(true);
  expect(requests).toHaveLength(1);
  const silent = await service('away');
  await isSignUpOpen(silent.url, 'key');
  await isSignUpOpen(silent.url, 'key');
  expect(silent.requests).toHaveLength(2);
});
