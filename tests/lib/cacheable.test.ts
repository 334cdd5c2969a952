import { expect, test } from 'vitest';
import { cacheable, cacheableResponse } from '@/lib/http/cacheable';

const value = Object.freeze({ name: 'oak', secret: 'left out' });
const result = cacheable(value, { 'cache-control': 'private, max-age=60', 'cache-status': 'x; hit' });
let parsed = 0;
const parse = ({ name }: { name?: string }) => {
  parsed += 1;
  return { name };
};
const respond = (ifNoneMatch?: string) =>
  cacheableResponse(
    new Request('http://atelier.test/x', { headers: ifNoneMatch ? { 'if-none-match': ifNoneMatch } : {} }),
    200,
    result,
    parse,
  );

test('cacheableResponse sends the parsed value with an ETag, and serializes it once', async () => {
  const [first, second] = [respond(), respond()];
  expect(await first.json()).toEqual({ name: 'oak' });
  expect(first.headers.get('etag')).toMatch(/^W\/"[\w-]{20,}"$/);
  expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'cache-control': 'private, max-age=60',
    'cache-status': 'x; hit',
    'content-type': 'application/json',
  });
  expect(parsed).toBe(1);
});

test('a client that has the current version gets 304 without a body, for a weak or strong tag, a list of tags, or `*`', async () => {
  const etag = respond().headers.get('etag') ?? '';
  for (const given of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
    const response = respond(given);
    expect(response.status).toBe(304);
    expect(await response.text()).toBe('');
    expect(response.headers.get('etag')).toBe(etag);
    expect(response.headers.get('cache-control')).toBe('private, max-age=60');
  }
  for (const given of ['"other"', 'W/"other"', etag.slice(0, -3), ''])
    expect(respond(given).status).toBe(200);
});

test('a value that could still change is refused', () => {
  expect(() => cacheable({ name: 'oak' }, { 'cache-control': 'private' })).toThrow(TypeError);
});
