import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { GET } from '@/app/share/[token]/images/[imageId]/route';
import { stubSettings } from '@/tests/settings/stub-settings';

const png = Buffer.from('\x89PNG\r\n\x1a\n____', 'latin1');
const file = {
  path: 'images/a.png',
  thumb_path: null,
  ordinal: 1,
  number: 1,
  project_name: 'Lobby',
  allow_download: false,
};

/** Sends the fake backend's response to a request for the image file. Each test sets its own `sendFile`. */
let sendFile: (response: ServerResponse) => void;
const backend = createServer((request, response) => {
  request.resume();
  const json = (value: unknown) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
  if (request.url?.startsWith('/rest/')) json([file]);
  else if (request.method === 'POST')
    json([{ path: 'a.png', signedURL: '/object/sign/images/a.png?token=x' }]);
  else sendFile(response);
});

beforeAll(async () => {
  backend.listen(0, '127.0.0.1');
  await once(backend, 'listening');
  stubSettings(`http://127.0.0.1:${(backend.address() as AddressInfo).port}`, { LOG_LEVEL: 'silent' });
});
afterAll(() => {
  vi.unstubAllEnvs();
  backend.close();
});

function request(method: string): Promise<Response> {
  const params = { token: `shr_${'0'.repeat(64)}`, imageId: randomUUID() };
  const url = `http://atelier.test/share/${params.token}/images/${params.imageId}`;
  return GET(new Request(url, { method }), { params: Promise.resolve(params) });
}

test('an image whose download breaks off before its first byte gets a 503 with Retry-After', async () => {
  sendFile = (response) => {
    response.writeHead(200, { 'content-length': '1000' }).flushHeaders();
    response.destroy();
  };
  const response = await request('GET');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
});

test('a HEAD request for an image gets its headers, and does not keep the file open in storage', async () => {
  let closed: Promise<unknown> = Promise.resolve();
  sendFile = (response) => {
    closed = once(response, 'close');
    // Leave the response open.
    response.writeHead(200).write(png);
  };
  const response = await request('HEAD');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(response.body).toBeNull();
  await closed;
});
