import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Placeholder, respondUnavailable } from '@/lib/launcher/respond-unavailable';
import { freePorts } from '@/tests/setup/free-ports';

let url: string;
let placeholder: Placeholder;

beforeAll(async () => {
  const { port } = await freePorts();
  url = `http://127.0.0.1:${port}`;
  placeholder = await respondUnavailable(port, '127.0.0.1', 'restarting');
});
afterAll(() => placeholder.stop());

test.each<[string, string, RequestInit]>([
  ['a write', '/api/projects', { method: 'POST', body: '{}', headers: { accept: 'text/html' } }],
  ['a call of the API', '/api/projects', {}],
  ['a file of the app', '/_next/static/chunk.js', {}],
  ['a page as JSON', '/projects', { headers: { accept: 'application/json' } }],
])('%s gets a 503 problem with Retry-After', async (_, path, init) => {
  const response = await fetch(url + path, init);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'wasm-unsafe-eval'; frame-ancestors 'none'/,
  );
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(await response.json()).toMatchObject({
    code: 'unavailable',
    status: 503,
    detail: 'Atelier is restarting. Try again in a moment.',
  });
});

test.each([
  ['a page', '/projects', 'text/html,application/xhtml+xml,*/*;q=0.8'],
  ['a page by a program', '/projects', '*/*'],
  ['a link to the API', '/api/projects/1/file', 'text/html,application/xhtml+xml,*/*;q=0.8'],
])(
  'a request for %s gets a page with status 503 and a policy that allows only its script',
  async (_, path, accept) => {
    const response = await fetch(url + path, { headers: { accept } });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toMatch(
      /default-src 'none'; script-src 'sha256-/,
    );
    expect(await response.text()).toContain('<h1>Atelier is restarting</h1>');
  },
);

test('the reason can change while the server responds', async () => {
  placeholder.show('building');
  expect(await (await fetch(`${url}/`)).text()).toContain('<h1>Atelier is being built</h1>');
});

test('after it is stopped, nothing listens on the port', async () => {
  await placeholder.stop();
  await expect(fetch(`${url}/`)).rejects.toThrow();
});
