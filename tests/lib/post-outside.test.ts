import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrivateAddressError, postOutside, publicLookup } from '@/lib/http/post-outside';

let server: Server;
let port: number;
let handle: RequestListener;

beforeAll(async () => {
  server = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const never = new AbortController().signal;
const post = (address: string, { mayBePrivate = true, signal = never } = {}) =>
  postOutside(address, { headers: { 'x-a': 'b' }, body: 'Größe', signal, mayBePrivate });

test('postOutside sends the headers and the body, and returns the status and Retry-After', async () => {
  let seen: unknown;
  handle = async (request, response) => {
    seen = [request.method, request.headers['x-a'], await text(request)];
    response.writeHead(503, { 'retry-after': '7' }).end('x'.repeat(1000));
  };
  expect(await post(`http://127.0.0.1:${port}/a`)).toEqual({ status: 503, retryAfter: '7' });
  expect(seen).toEqual(['POST', 'b', 'Größe']);
});

test('postOutside does not wait for the end of a response', async () => {
  handle = (_, response) => void response.writeHead(200).write('never ends');
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 200 });
});

test('postOutside fails when the server switches protocols instead of responding', async () => {
  handle = (request) =>
    void request.socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
  await expect(post(`http://127.0.0.1:${port}/`)).rejects.toThrow('without a response');
});

test('postOutside follows no redirect', async () => {
  const paths: (string | undefined)[] = [];
  handle = (request, response) => {
    paths.push(request.url);
    response.writeHead(307, { location: '/elsewhere' }).end();
  };
  expect(await post(`http://127.0.0.1:${port}/a`)).toMatchObject({ status: 307 });
  expect(paths).toEqual(['/a']);
});

test.each([
  'http://127.0.0.1',
  'http://localhost',
  'http://[::1]',
  'http://[::ffff:127.0.0.1]',
  'http://127.1',
])('postOutside does not connect to %s', async (origin) => {
  handle = () => expect.unreachable();
  await expect(post(`${origin}:${port}/`, { mayBePrivate: false })).rejects.toThrow(PrivateAddressError);
});

const publicAddress = { address: '93.184.215.14', family: 4 };
const lookUp = (addresses: { address: string; family: number }[], all: boolean) =>
  new Promise((resolve) => {
    const find = publicLookup((_, __, callback) => callback(null, addresses));
    find('name.example', { all }, (error, address) => resolve(error ?? address));
  });

test.each([
  ['10.0.0.1', 4],
  ['169.254.169.254', 4],
  ['::1', 6],
  ['::ffff:10.0.0.1', 6],
  ['fe80::1%eth0', 6],
  ['2001:db8::1', 6],
  ['::10.0.0.1', 6],
  ['64:ff9b::a00:1', 6],
])('a name that resolves to %s is used only with its public addresses', async (address, family) => {
  const found = [{ address, family }];
  expect(await lookUp(found, true)).toBeInstanceOf(PrivateAddressError);
  expect(await lookUp([...found, publicAddress], true)).toEqual([publicAddress]);
  expect(await lookUp([...found, publicAddress], false)).toBe(publicAddress.address);
});

test('postOutside rejects at once when it is aborted, and when the connection is refused', async () => {
  handle = () => undefined;
  const stop = new AbortController();
  const sending = post(`http://127.0.0.1:${port}/`, { signal: stop.signal });
  stop.abort();
  await expect(sending).rejects.toThrow('abort');
  await expect(post('http://127.0.0.1:1/')).rejects.toThrow('ECONNREFUSED');
});
