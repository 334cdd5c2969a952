import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError, callApi, OfflineError } from '@/lib/http/client';

const schema = z.object({ version: z.int() });

/** Starts a server that responds with `handler`, and calls it with `callApi`. */
async function call(handler: RequestListener, signal?: AbortSignal) {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await callApi(`http://127.0.0.1:${port}/`, { schema, signal });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('callApi returns the parsed response, and throws an error response with its detail', async () => {
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
])('callApi throws an OfflineError when the connection ends %s the response', async (_, part) => {
  const broken = call((request, response) => {
    if (part === '') return request.socket.destroy();
    response.writeHead(200, { 'content-length': '100' });
    response.write(part, () => request.socket.destroy());
  });
  await expect(broken).rejects.toThrow(OfflineError);
});

test('callApi throws an AbortError when the call is aborted, not an OfflineError', async () => {
  const controller = new AbortController();
  const off = call((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{', () => controller.abort());
  }, controller.signal);
  await expect(off).rejects.toMatchObject({ name: 'AbortError' });
});
