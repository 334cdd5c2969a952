import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '@/tests/app/support/poll';
import {
  ok,
  SECRET_KEY,
  startTestBackend,
  type TestBackend,
} from '@/tests/backend/support/start-test-backend';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend();
});
afterAll(() => backend.end());

const incoming = () => readdir(join(backend.dataDir, 'storage', 'incoming'));

/** Opens a connection to the gateway and sends raw bytes, so no client library normalizes the URL or the body. */
async function open(head: string): Promise<Socket> {
  const socket = connect(backend.port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(head);
  return socket;
}

async function exchange(method: string, path: string, body = 'x'): Promise<string> {
  const socket = await open(
    `${method} ${path} HTTP/1.1\r\nhost: x\r\napikey: ${SECRET_KEY}\r\ncontent-type: text/plain\r\n` +
      `content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
  let response = '';
  for await (const chunk of socket) response += String(chunk);
  return response;
}

describe('URLs and keys cannot leave their bucket or the folder', () => {
  test.each([
    '/storage/v1/object/docs/../pub/evil.txt',
    '/storage/v1/object/docs/%2e%2e/pub/evil.txt',
    '/storage/v1/object/%00/evil.txt',
    '/storage/v1/object/docs/..%2fpub%2fevil.txt',
    '/storage/v1/object/docs/a/%2e%2e/%2e%2e/evil.txt',
    '/storage/v1/object/docs/./evil.txt',
    '/storage/v1/object/docs//evil.txt',
    '/storage/v1/object/docs/evil%00.txt',
    '/storage/v1/object/docs/..%5c..%5cevil.txt',
    '/storage/v1/object/docs/%zz.txt',
    '/storage/v1/object/upload/sign/docs/../pub/evil.txt',
  ])('the storage path %s is refused', async (path) => {
    expect(await exchange('POST', path)).toMatch(/^HTTP\/1.1 400 [\s\S]*(Invalid key|URL is not valid)/);
    const [row] = await backend.sql`select count(*)::int as n from storage.objects where name like '%evil%'`;
    expect(row?.n).toBe(0);
  });

  test('an object row whose version is a path reads no file', async () => {
    await backend.sql`insert into storage.objects (bucket_id, name, version, metadata)
      values ('pub', 'sly', '../../backend-secrets.json', '{"size": 10}')`;
    const response = await fetch(`${backend.url}/storage/v1/object/public/pub/sly`);
    expect([response.status, (await response.json()).code]).toEqual([400, 'NoSuchKey']);
  });
});

describe('cut connections', () => {
  test.each([
    ['raw', 'content-type: text/plain\r\ncontent-length: 1000000', 'x'.repeat(300_000)],
    [
      'chunked',
      'content-type: text/plain\r\ntransfer-encoding: chunked',
      `20000\r\n${'x'.repeat(0x20000)}\r\n`,
    ],
    [
      'multipart',
      'content-type: multipart/form-data; boundary=b\r\ncontent-length: 1000000',
      `--b\r\ncontent-disposition: form-data; name=""; filename="f"\r\ncontent-type: text/plain\r\n\r\n${'x'.repeat(300_000)}`,
    ],
  ])('a cut %s upload leaves neither a row nor a file', async (name, headers, body) => {
    const socket = await open(
      `POST /storage/v1/object/pub/cut-${name}.txt HTTP/1.1\r\nhost: x\r\napikey: ${SECRET_KEY}\r\n${headers}\r\n\r\n`,
    );
    socket.write(body);
    await eventually(async () => expect(await incoming()).toHaveLength(1));
    socket.destroy();
    await eventually(async () => expect(await incoming()).toHaveLength(0));
    const [row] = await backend.sql`select count(*)::int as n from storage.objects where name like 'cut-%'`;
    expect(row?.n).toBe(0);
  });
});

describe('broken multipart bodies', () => {
  const part = 'content-disposition: form-data; name=""; filename="f"\r\ncontent-type: text/plain\r\n\r\n';
  test.each([
    ['without a file', '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--b--\r\n'],
    ['without an end', `--b\r\n${part}half of it`],
    ['with no bytes', ''],
  ])('a multipart body %s is refused', async (_name, body) => {
    const response = await fetch(`${backend.url}/storage/v1/object/pub/broken.txt`, {
      method: 'POST',
      headers: { apikey: SECRET_KEY, 'content-type': 'multipart/form-data; boundary=b' },
      body,
    });
    expect(response.status).toBe(400);
    expect(await incoming()).toHaveLength(0);
    const [row] = await backend.sql`select count(*)::int as n from storage.objects where name = 'broken.txt'`;
    expect(row?.n).toBe(0);
  });

  test('a multipart body without a boundary is refused', async () => {
    const response = await fetch(`${backend.url}/storage/v1/object/pub/x.txt`, {
      method: 'POST',
      headers: { apikey: SECRET_KEY, 'content-type': 'multipart/form-data' },
      body: 'x',
    });
    expect(response.status).toBe(400);
  });

  test('fields that follow the file in a multipart body are read too', async () => {
    const field = (name: string, value: string) =>
      `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const response = await fetch(`${backend.url}/storage/v1/object/pub/late.txt`, {
      method: 'POST',
      headers: { apikey: SECRET_KEY, 'content-type': 'multipart/form-data; boundary=b' },
      body: `--b\r\n${part}hello\r\n${field('cacheControl', '77')}--b--\r\n`,
    });
    expect(response.status).toBe(200);
    const got = await fetch(`${backend.url}/storage/v1/object/public/pub/late.txt`);
    expect([await got.text(), got.headers.get('cache-control')]).toEqual(['hello', 'max-age=77']);
  });
});

test('memory stays flat while 4 × 45 MB are uploaded as streams', { tags: ['extended'] }, async () => {
  const service = backend.client(SECRET_KEY);
  const chunk = new Uint8Array(64 << 10);
  const body = () => {
    let left = 45 * 16;
    return new ReadableStream({
      pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
    });
  };
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 10);
  await Promise.all(
    [1, 2, 3, 4].map(async (n) =>
      ok(
        await service.storage
          .from('pub')
          .upload(`big-${n}`, body(), { contentType: 'text/plain', duplex: 'half' }),
      ),
    ),
  );
  clearInterval(watch);
  expect((peak - before) >> 20).toBeLessThan(150);
});
