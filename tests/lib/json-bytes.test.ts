import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HttpError } from '@/lib/errors/problem';
import { type FetchThrough, readingJson, sendingJson } from '@/lib/supabase/json-bytes';

let respond: (response: ServerResponse) => void;
let calls: { method?: string; key?: string | string[]; body: string }[] = [];
const server = createServer(async (request: IncomingMessage, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  calls.push({ method: request.method, key: request.headers.apikey, body });
  respond(response);
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());
beforeEach(() => {
  calls = [];
});

const client = (through: FetchThrough) =>
  createClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key', {
    global: { fetch: through(fetch) },
  });
const rows = (through: FetchThrough) => client(through).from('documents').select('pages');

test('a call sends its arguments as the given bytes', async () => {
  respond = (response) => response.end('{"outcome":"saved"}');
  // The body contains spaces that JSON.stringify would not write.
  const body = '{ "p_pages" : [ 1.0 ] }';
  const { data } = await client(sendingJson(new TextEncoder().encode(body))).rpc('save', { p_pages: null });
  expect(data).toEqual({ outcome: 'saved' });
  expect(calls).toEqual([{ method: 'POST', key: 'key', body }]);
});

test('a response is read as bytes, which are counted as they arrive', async () => {
  const text = `[ {"pages": "${'é'.repeat(300_000)}"} ]`;
  respond = (response) => response.end(text);
  let size = 0;
  const bytes = await readingJson(rows, (more) => {
    size += more;
  });
  expect(Buffer.from(bytes).toString()).toBe(text);
  expect(size).toBe(Buffer.byteLength(text));
});

test('a response that exceeds the memory limit is refused without a retry', async () => {
  respond = (response) => response.end('[]');
  const take = () => {
    throw new HttpError('unavailable', 'Too much.');
  };
  await expect(readingJson(rows, take)).rejects.toMatchObject({ code: 'unavailable', message: 'Too much.' });
  expect(calls).toHaveLength(1);
});

test('a truncated response throws unavailable, and a database error throws internal', async () => {
  respond = (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('[', () => response.destroy());
  };
  await expect(readingJson(rows)).rejects.toMatchObject({ code: 'unavailable' });
  respond = (response) => {
    response.statusCode = 400;
    response.end(JSON.stringify({ code: '42703', message: 'no such column', details: null, hint: null }));
  };
  await expect(readingJson(rows)).rejects.toMatchObject({ code: 'internal' });
});
