import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError, callApi, OfflineError } from '@/lib/http/client';

const schema = z.object({ version: z.int() });

/** Calls a server that answers like this. */
async function call(answer: RequestListener, signal?: AbortSignal) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await callApi(`http://127.0.0.1:${port}/`, { schema, signal });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('an answer is parsed, and an error answer thrown with what it says', async () => {
  expect(await call((_, response) => response.end('{"version":4,"more":1}'))).toEqual({ version: 4 });
  const refused = call((_, response) => {
    response.writeHead(503, { 'retry-after': '7' });
    response.end('{"detail":"Not now.","code":"unavailable"}');
  });
  await expect(refused).rejects.toThrow(ApiError);
  await expect(refused).rejects.toMatchObject({ message: 'Not now.', status: 503, retryAfterS: 7 });
});

test.each([
  ['before', ''],
  ['in the middle of', '{"version":'],
])('a connection that ends %s the answer is no connection', async (_, part) => {
  const broken = call((request, response) => {
    if (part === '') return request.socket.destroy();
    response.writeHead(200, { 'content-length': '100' });
    response.write(part, () => request.socket.destroy());
  });
  await expect(broken).rejects.toThrow(OfflineError);
});

test('a call that is called off is no lost connection', async () => {
  const controller = new AbortController();
  const off = call((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{', () => controller.abort());
  }, controller.signal);
  await expect(off).rejects.toMatchObject({ name: 'AbortError' });
});
