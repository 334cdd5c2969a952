import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { form } from '@/tests/app/support/form';
import { openSpools } from '@/tests/app/support/open-spools';
import { poll } from '@/tests/app/support/poll';
import { makeUploader, type Uploader } from '@/tests/app/support/uploader';
import { makePdf } from '@/tests/pdf/support/make-pdf';

const { url } = inject('atelier');
const { hostname, port } = new URL(url);
const uploadPath = '/api/admin/specs/upload';

let uploader: Uploader;
beforeAll(async () => {
  uploader = await makeUploader('Connections');
});
afterAll(() => uploader.sql.end());

/** Sends the head of a request and a part of its body, then cuts the connection. */
function cutOff(head: Record<string, string | number>, part: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`POST ${uploadPath} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${lines.join('')}\r\n`);
      socket.write(part, () => socket.resetAndDestroy());
    });
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
}

test.each([0.1, 0.5, 0.99])('an upload cut off at %f of the file leaves nothing behind', async (share) => {
  const file = await makePdf({ sections: 1, bytes: 4 * 1024 * 1024 });
  const { body, headers } = form(await uploader.parts({ file }));
  const before = await uploader.traces();
  const head = { ...headers, ...uploader.person.headers, 'content-length': body.length };
  await cutOff(head, body.subarray(0, Math.floor(body.length * share)));
  await poll('the half file is deleted', async () => openSpools().length === 0);
  expect(await uploader.traces()).toEqual(before);
});

/**
 * Sends these bytes without waiting for responses, and returns the statuses of all responses after the server has
 * closed the connection.
 */
function statuses(requests: (string | Uint8Array)[]): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      for (const bytes of requests) socket.write(bytes);
    });
    socket.on('data', (bytes) => received.push(bytes));
    socket.on('error', reject);
    socket.on('close', () => {
      const responses = Buffer.concat(received)
        .toString()
        .matchAll(/^HTTP\/1\.1 (\d{3}) /gm);
      resolve([...responses].map(([, status]) => Number(status)));
    });
  });
}

const request = (method: string, path: string, headers: Record<string, string | number>) =>
  `${method} ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
const health = request('GET', '/api/health', { connection: 'close' });
const chunk = (body: Uint8Array) => [`${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n'];
const megabytes = (n: number) => Buffer.alloc(n * 1024 * 1024, '%PDF-1.7\n');

describe('a request that is refused while it is being sent', () => {
  test('a request that declares too large a body is read to its end, so that the next one gets a response', async () => {
    const { body, headers } = form(await uploader.parts({ file: megabytes(51) }));
    const head = { ...headers, ...uploader.person.headers, 'content-length': body.length };
    expect(await statuses([request('POST', uploadPath, head), body, health])).toEqual([413, 200]);
  });

  test.each([
    ['the file is too large', 413, () => uploader.parts({ file: megabytes(52) })],
    [
      'a part comes before the file',
      400,
      async () => [{ name: 'area', value: 'x' }, ...(await uploader.parts({ file: megabytes(20) }))],
    ],
  ])('a request that is refused because %s is read to its end', async (_why, status, parts) => {
    const { body, headers } = form(await parts());
    const head = { ...headers, ...uploader.person.headers, 'transfer-encoding': 'chunked' };
    expect(await statuses([request('POST', uploadPath, head), ...chunk(body), health])).toEqual([
      status,
      200,
    ]);
  });

  test('a request that is refused because its JSON is too large is read to its end', async () => {
    const head = {
      'content-type': 'application/json',
      ...uploader.person.headers,
      'transfer-encoding': 'chunked',
    };
    const sent = [request('POST', '/api/admin/brands', head), ...chunk(megabytes(5)), health];
    expect(await statuses(sent)).toEqual([413, 200]);
  });
});
