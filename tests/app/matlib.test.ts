import { afterEach, beforeAll, expect, inject, test } from 'vitest';
import { categoriesResponse, filesResponse, infoResponse, searchResponse } from '@/lib/matlib/schema';
import { signIn, signInWithCookies } from '@/tests/app/support/people';

const { url, env } = inject('atelier');
let authorization: string;

// This user has no project. Materials must be available to every signed-in user, even without a project.
beforeAll(async () => {
  ({ authorization } = (await signIn(env, 'stranger@atelier.test')).headers);
});
afterEach(() => fetch(`${env.MATLIB_URL}/control`, { method: 'DELETE' }));

function call(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization, ...init.headers };
  return fetch(`${url}/api/matlib/${path}`, { ...init, headers });
}

async function read(path: string): Promise<unknown> {
  const response = await call(path);
  expect(response.status, path).toBe(200);
  return response.json();
}

test('a search leads to a material, its maps, and a file that can be downloaded', async () => {
  const found = searchResponse.parse(await read('search?q=marbel&type=textures&facets=1&limit=5'));
  expect(found.totals).toMatchObject({ textures: found.total });
  expect(found).toMatchObject({ match: 'fuzzy', limit: 5, source: { credit: expect.any(String) } });
  const id = found.results[0]?.id ?? '';
  expect(id).toContain('marble');
  expect(infoResponse.parse(await read(`info/${id}`))).toMatchObject({
    id,
    available: { license: 'CC0-1.0' },
  });
  const { categories } = categoriesResponse.parse(await read('categories'));
  expect(categories).toContain('marble');

  const files = filesResponse.parse(await read(`files/${id}?resolutions=1k&formats=jpg`));
  expect(files.resolutions).toEqual(['1k']);
  expect(files.map_roles.nor_gl).toBe('normal_gl');
  expect(files.textures.diffuse?.['1K']?.jpg?.url).toBe(files.maps.Diffuse?.['1k']?.jpg?.url);
  const diffuse = await fetch(files.maps.Diffuse?.['1k']?.jpg?.url ?? '');
  expect(diffuse.headers.get('content-type')).toBe('image/jpeg');
  const thumbnail = await fetch(found.results[0]?.thumbnail_url ?? '');
  expect(thumbnail.headers.get('content-type')).toBe('image/webp');
});

test('a client that has a current copy gets 304, and the response to HEAD has no body', async () => {
  const first = await call('categories?type=models');
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^W\/"/);
  expect(first.headers.get('cache-control')).toMatch(/^private, max-age=60/);
  expect(first.headers.get('cache-status')).toMatch(/^matlib; /);
  const again = await call('categories?type=models', { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const head = await call('categories?type=models', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test.each([
  ['search?type=constructor', 400, 'invalid_request'],
  ['search?limit=-50', 400, 'invalid_request'],
  ['search?limit=1e3', 400, 'invalid_request'],
  ['search?q=a&q=b', 400, 'invalid_request'],
  [`search?q=${'x'.repeat(101)}`, 400, 'invalid_request'],
  ['categories?type=toString', 400, 'invalid_request'],
  ['info/__proto__', 404, 'not_found'],
  ['info/constructor', 404, 'not_found'],
  ['info/a%20b', 400, 'invalid_request'],
  ['info/armchair_01', 404, 'not_found'],
  ['files/no_such_thing', 404, 'not_found'],
  ['files/ModernArmChair_01?resolutions=huge', 400, 'invalid_request'],
  ['nothing', 404, 'not_found'],
])('GET /api/matlib/%s returns %i %s', async (path, status, code) => {
  const response = await call(path);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toMatchObject({ status, code });
  expect(response.status).toBe(status);
});

test.each(['search', 'categories', 'info/ModernArmChair_01', 'files/ModernArmChair_01'])(
  '/api/matlib/%s is for signed-in users and for reading only',
  async (path) => {
    const anonymous = await fetch(`${url}/api/matlib/${path}`);
    expect(anonymous.status).toBe(401);
    const post = await call(path, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  },
);

test('the error text of a failing library never reaches the client', async () => {
  const { results } = searchResponse.parse(await read('search?type=models&q=lamp&sort=name'));
  const id = results[0]?.id ?? '';
  // The fault affects only this material, because other tests use the same library at the same time.
  const behave = { mode: 'html', on: ['files'], match: id };
  await fetch(`${env.MATLIB_URL}/control`, { method: 'PUT', body: JSON.stringify(behave) });
  const response = await call(`files/${id}`);
  const body = await response.text();
  expect(JSON.parse(body)).toMatchObject({ status: 503, code: 'unavailable' });
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(body).not.toMatch(/127\.0\.0\.1|node-7|haven|cookies/i);
  expect(await read(`info/${id}`)).toMatchObject({ id });
});

test('the HTML of the materials page has the first results of its search, so the page needs no second request', async () => {
  // Search through the API first, so that the results are cached. The page waits only briefly for results, so its HTML
  // might lack them on a slow machine.
  const found = searchResponse.parse(await read('search?q=oak&limit=96&facets=1'));
  const headers = await signInWithCookies(env, 'stranger@atelier.test');
  const html = await (await fetch(`${url}/materials?q=oak`, { headers })).text();
  const shown = [...html.matchAll(/<a [^>]*data-id="([^"]+)"/g)].map(([, id]) => id);
  expect(shown).toEqual(found.results.map(({ id }) => id));
});
