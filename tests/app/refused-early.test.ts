import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, inject, test } from 'vitest';
import { apiAt, expectProblem } from '@/tests/app/support/api';
import { newUser, signInWithCookies } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { pidOf } from '@/tests/start/support/launch';

const { url, env, dataDir } = inject('atelier');
const appPid = pidOf(dataDir, 'dist/server.mjs');
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/**
 * Sends these bytes over a new connection and leaves it open. Returns an object whose fields stay up to date: the text
 * received so far, and whether the connection is closed.
 */
function open(...parts: (string | Buffer)[]) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const state = { text: '', isClosed: false };
  sockets.push(socket);
  socket.on('data', (data) => {
    state.text += data.toString('latin1');
  });
  // A client that is refused while still sending may find its connection reset.
  socket
    .on('error', () => undefined)
    .on('close', () => {
      state.isClosed = true;
    });
  for (const part of parts) socket.write(part);
  return state;
}

const head = (method: string, path: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nhost: atelier.test\r\n${more}\r\n`;

function residentMb(): number {
  const status = readFileSync(`/proc/${appPid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

test.each(['/api/projects/%E0%A4%A', '/api/projects/%', '/%c0%80', '/projects/%zz/studio'])(
  'a path with broken percent-encoding (%s) gets 400 with the headers of every response',
  async (path) => {
    const response = await apiAt(url)(path, { headers: { 'x-request-id': 'broken-path-0001' } });
    expect(expectProblem(response, 'invalid_request').requestId).toBe('broken-path-0001');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  },
);

test.each(['TRACE', 'PROPFIND', 'LINK'])('the method %s gets 405 on every path', async (method) => {
  for (const path of ['/', '/api/projects', '/sign-in']) {
    const response = open(head(method, path));
    await poll('the response has come', async () => response.isClosed);
    expect(response.text).toMatch(/^HTTP\/1.1 405 /);
    expect(response.text).toMatch(/^content-type: application\/problem\+json/im);
    expect(response.text).not.toMatch(/\n +at /);
  }
});

test('a request that asks for another protocol gets its response over HTTP', async () => {
  const response = open(head('GET', '/api/health', 'connection: upgrade\r\nupgrade: websocket\r\n'));
  await poll('the response has come', async () => response.text.includes('"status":"ok"'));
  expect(response.text).toMatch(/^HTTP\/1.1 200 /);
});

test('pages can only be read: any other method gets 405, regardless of the action that it names', async () => {
  for (const path of ['/', '/sign-in', '/projects/x/studio', '/not-there']) {
    const response = await apiAt(url)(path, { method: 'POST', body: 'x', headers: { 'next-action': 'abc' } });
    expectProblem(response, 'method_not_allowed');
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  }
});

test('stalled bodies that anonymous clients send to pages use no memory', async () => {
  const before = residentMb();
  const part = Buffer.alloc(9 * 1024 * 1024);
  const length = `content-length: ${part.length + 100}\r\n`;
  const all = Array.from({ length: 60 }, () => open(head('POST', '/', length), part));
  await poll('every request has a response', async () =>
    all.every(({ isClosed, text }) => isClosed || text !== ''),
  );
  // If the bodies were kept, memory use would grow by 540 MB. Tests that use the app at the same time need far less.
  expect(residentMb() - before).toBeLessThan(300);
});

test('a body sent with a GET of a page is not kept', async () => {
  const before = residentMb();
  const part = Buffer.alloc(9 * 1024 * 1024);
  const length = `content-length: ${part.length + 100}\r\n`;
  const { hostname, port } = new URL(url);
  const written = Array.from({ length: 30 }, () => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(head('GET', '/sign-in', length));
    return new Promise<void>((done) => socket.write(part, () => done()));
  });
  await Promise.all(written);
  // If the bodies were kept, memory use would grow by 270 MB.
  expect(residentMb() - before).toBeLessThan(200);
});

test('a session that is refreshed over HTTPS gets a Secure cookie', async () => {
  const { email } = await newUser(env);
  const { cookie } = await signInWithCookies(env, email);
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  const session = JSON.parse(Buffer.from(value.replace('base64-', ''), 'base64url').toString());
  const expired = Buffer.from(JSON.stringify({ ...session, expires_at: 1 })).toString('base64url');
  const refresh = async (headers: Record<string, string>) => {
    const response = await fetch(`${url}/projects`, {
      headers: { cookie: `${name}=base64-${expired}`, ...headers },
      redirect: 'manual',
    });
    return response.headers.getSetCookie().filter((each) => each.startsWith('sb-'));
  };
  const cookies = await refresh({ 'x-forwarded-proto': 'https' });
  expect(cookies).not.toEqual([]);
  for (const each of cookies) expect(each).toMatch(/; Secure/i);
});

test('Next does not resize images, and a missing file below /_next gets 404 with the security headers', async () => {
  const image = await fetch(`${url}/_next/image?url=%2Ficon.svg&w=64&q=75`);
  expect(image.status).toBe(404);
  const missing = await fetch(`${url}/_next/static/chunks/not-there.js`);
  expect(missing.status).toBe(404);
  expect(missing.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(missing.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
});

test('an unknown path gets a page that is readable without scripts', async () => {
  const response = await fetch(`${url}/nowhere/at/all`);
  expect(response.status).toBe(404);
  const html = await response.text();
  expect(html).toContain('<html lang="en"');
  expect(html).toContain('Page not found');
});
