import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { type JsonBodyOptions, MAX_JSON_BYTES, parseJson, readJsonBytes } from '@/lib/http/read-json';
import { reserveMemory } from '@/lib/http/reserved-memory';

const readJson = async (request: Request, options?: JsonBodyOptions) =>
  parseJson(await readJsonBytes(request, options));

const post = (body: BodyInit, type = 'application/json') =>
  new Request('http://app.test', {
    method: 'POST',
    body,
    headers: { 'content-type': type },
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  });
const refused = (code: string) => expect.objectContaining({ code });

test('readJson reads what JSON.stringify writes', async () => {
  const value = fc.jsonValue({ maxDepth: 10, stringUnit: 'grapheme' });
  await fc.assert(
    fc.asyncProperty(value, async (json) => {
      const text = JSON.stringify(json);
      fc.pre(!text.includes('\\u0000'));
      expect(await readJson(post(text))).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/json ;x=y',
  'application/vnd.api+json',
])('readJson accepts the content type %s', async (type) => {
  expect(await readJson(post('[1]', type))).toEqual([1]);
});

test.each([
  'text/plain',
  'application/jsonp',
  'application/+json',
  'text/json',
  'multipart/form-data; boundary=x',
])('readJson refuses the content type %s', async (type) => {
  await expect(readJson(post('[1]', type))).rejects.toEqual(refused('unsupported_media_type'));
});

describe('compressed JSON', () => {
  const compress = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  const names = Object.keys(compress) as (keyof typeof compress)[];
  const encoded = (
    body: Uint8Array<ArrayBuffer> | ReadableStream,
    encoding: string,
    options?: JsonBodyOptions,
  ) => {
    const request = post(body);
    request.headers.set('content-encoding', encoding);
    return readJson(request, options);
  };
  const bytes = (buffer: Buffer) => new Uint8Array(buffer);

  test.each(names)(
    'a body with the content-encoding %s is read, also when it arrives in parts',
    async (name) => {
      const value = { prompt: 'a lobby '.repeat(1_000) };
      const body = bytes(compress[name](JSON.stringify(value)));
      expect(await encoded(body, name)).toEqual(value);
      expect(await encoded(body, name.toUpperCase(), { userId: 'compressing' })).toEqual(value);
      const parts = new ReadableStream({
        start(controller) {
          for (let at = 0; at < body.length; at += 7) controller.enqueue(body.slice(at, at + 7));
          controller.close();
        },
      });
      expect(await encoded(parts, name)).toEqual(value);
    },
  );

  test.each(names)('the size limit counts the decompressed bytes of %s', async (name) => {
    const exact = `"${'x'.repeat(MAX_JSON_BYTES - 2)}"`;
    expect(await encoded(bytes(compress[name](exact)), name)).toHaveLength(MAX_JSON_BYTES - 2);
    await expect(encoded(bytes(compress[name](`${exact} `)), name)).rejects.toEqual(refused('too_large'));
    // 100 MB in 100 KB or less.
    const bomb = bytes(compress[name](Buffer.alloc(100 * 1024 * 1024, ' ')));
    expect(bomb.byteLength).toBeLessThan(MAX_JSON_BYTES);
    await expect(encoded(bomb, name)).rejects.toEqual(refused('too_large'));
  });

  test.each(names)('a body that is not %s, or only a part of it, counts as broken', async (name) => {
    const whole = bytes(compress[name](JSON.stringify({ a: 'b'.repeat(100) })));
    for (const body of [bytes(Buffer.from('{"a":1}')), whole.slice(0, -9)]) {
      await expect(encoded(body, name)).rejects.toMatchObject({
        code: 'invalid_json',
        message: `The body could not be read as ${name}.`,
      });
    }
  });

  test.each(['zstd', 'compress', 'gzip, br', 'x'])(
    'the content-encoding %s is refused by name',
    async (name) => {
      await expect(encoded(bytes(Buffer.from('{}')), name)).rejects.toMatchObject({
        code: 'unsupported_media_type',
        message: 'The content-encoding can only be gzip, deflate or br.',
        extra: {
          errors: [{ path: 'content-encoding' }],
          headers: { 'accept-encoding': 'gzip, deflate, br' },
        },
      });
    },
  );

  test('the content-encoding identity is none', async () => {
    expect(await encoded(bytes(Buffer.from('[1]')), 'identity')).toEqual([1]);
  });
});

describe('the depth of JSON', () => {
  const nested = (n: number) => `${'['.repeat(n)}${']'.repeat(n)}`;

  test('JSON of 32 levels is read, and of 33 or 100,000 levels refused', async () => {
    expect(await readJson(post(nested(32)))).toBeDefined();
    for (const n of [33, 100_000]) {
      await expect(readJson(post(nested(n)))).rejects.toEqual(refused('invalid_json'));
    }
  });

  test('brackets in strings do not count as levels, however they are escaped', async () => {
    const text = JSON.stringify([`${'['.repeat(100)}"\\`, '{'.repeat(100)]);
    expect(await readJson(post(text))).toEqual(JSON.parse(text));
    await expect(readJson(post(`["\\\\",${nested(40)}]`))).rejects.toEqual(refused('invalid_json'));
  });
});

test.each([
  '',
  '{',
  '{"a":1}x',
  "{'a':1}",
  'undefined',
  '{"a":"\\ud800"}',
  '{"a":["\\u0000"]}',
  '{"\\u0000":1}',
])('readJson refuses %j', async (text) => {
  await expect(readJson(post(text))).rejects.toEqual(refused('invalid_json'));
});

test.each([[0xff], [0x22, 0xed, 0xa0, 0x80, 0x22], [0x22, 0xc0, 0x80, 0x22]])(
  'readJson refuses bytes that are not UTF-8',
  async (...bytes) => {
    await expect(readJson(post(new Uint8Array(bytes)))).rejects.toEqual(refused('invalid_json'));
  },
);

test('readJson stops at the limit, and drains the rest so that the sender gets the response', async () => {
  const exact = `"${'x'.repeat(MAX_JSON_BYTES - 2)}"`;
  expect(await readJson(post(exact))).toHaveLength(MAX_JSON_BYTES - 2);
  await expect(readJson(post(`${exact} `))).rejects.toEqual(refused('too_large'));
  let pulled = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      if (pulled > 40) controller.close();
      else controller.enqueue(new Uint8Array(64 * 1024));
    },
  });
  await expect(readJson(post(stream))).rejects.toEqual(refused('too_large'));
  await expect.poll(() => pulled).toBe(41);
});

test('a cut connection counts as a broken body', async () => {
  const stream = new ReadableStream({
    pull(controller) {
      controller.error(new Error('aborted'));
    },
  });
  await expect(readJson(post(stream))).rejects.toEqual(refused('invalid_json'));
});

/** Makes a request that declares a body of `length` bytes but stalls after the first KB. */
const stalled = (length: number) =>
  new Request('http://app.test', {
    method: 'POST',
    body: new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1024)) }),
    headers: { 'content-type': 'application/json', 'content-length': String(length) },
    ...{ duplex: 'half' },
  });
const pace = { bytes: 1024, ms: 50 };

test('a body that stops arriving is aborted, and its connection is closed', async () => {
  await expect(readJson(stalled(5_000), { pace })).rejects.toMatchObject({
    code: 'too_slow',
    extra: { headers: { connection: 'close' } },
  });
});

test('a body that arrives slowly but steadily is read', async () => {
  let left = 30;
  const steady = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((done) => setTimeout(done, 500));
      controller.enqueue(Buffer.from(left === 30 ? `"${'x'.repeat(1023)}` : 'x'.repeat(1024)));
      left -= 1;
      if (left > 0) return;
      controller.enqueue(Buffer.from('"'));
      controller.close();
    },
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  let isRead = false;
  // On the fake clock, the body takes 15 s, which is half a second for each of its 30 KB. `pace` allows one second per
  // KB.
  const reading = readJson(post(steady), { pace: { bytes: 1024, ms: 1_000 } }).finally(() => {
    isRead = true;
  });
  while (!isRead) await vi.advanceTimersByTimeAsync(50);
  vi.useRealTimers();
  expect(await reading).toHaveLength(30 * 1024 - 1);
});

test('a user can hold two of 60 stalled bodies of 15 MB, other users are not affected, and all slots are freed', async () => {
  const large = 15 * 1024 * 1024;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, () => readJson(stalled(large), { maxBytes: large, userId: 'one', pace })),
  );
  const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'read'));
  expect(codes.filter((code) => code === 'too_slow')).toHaveLength(2);
  expect(codes.filter((code) => code === 'unavailable')).toHaveLength(58);

  const held = [
    readJson(stalled(large), { maxBytes: large, userId: 'one', pace }),
    readJson(stalled(large), { maxBytes: large, userId: 'one', pace }),
  ];
  expect(await readJson(post('[1]'), { maxBytes: large, userId: 'two' })).toEqual([1]);
  await Promise.allSettled(held);
  const again = [
    readJson(stalled(large), { maxBytes: large, userId: 'one', pace }),
    readJson(stalled(large), { maxBytes: large, userId: 'one', pace }),
  ];
  for (const each of again) await expect(each).rejects.toEqual(refused('too_slow'));
});

test('the memory for a document body is held until its request has been handled', async () => {
  const large = 15 * 1024 * 1024;
  const body = () => post(`"${'x'.repeat(large - 2)}"`);
  const requests = Array.from({ length: 3 }, () => reserveMemory('documents', 'writer'));
  const read = (n: number) =>
    readJsonBytes(body(), { maxBytes: large, userId: 'writer', memory: requests[n] }).then(
      (bytes) => bytes.byteLength,
    );
  expect([await read(0), await read(1)]).toEqual([large, large]);
  await expect(read(2)).rejects.toMatchObject({ code: 'unavailable', extra: { retryAfter: 2 } });
  // Other request bodies from the same user are still read.
  expect(await readJson(post('[1]'), { userId: 'writer' })).toEqual([1]);
  requests[0]?.release();
  expect(await read(2)).toBe(large);
  for (const request of requests) request.release();
});
