import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createMatlibHandlers } from '@/tests/fakes/matlib/handlers';
import { makeLibrary } from '@/tests/fakes/matlib/make-library';
import { type FakeMatlib, startFakeMatlib } from '@/tests/fakes/matlib/server';
import type { Behavior } from '@/tests/fakes/matlib/state';

let fake: FakeMatlib;
beforeAll(async () => {
  fake = await startFakeMatlib({ port: 0 });
});
afterEach(() => fetch(`${fake.url}/control`, { method: 'DELETE' }));
afterAll(() => fake.stop());

type Raw = Record<string, unknown> & { tags: string[]; categories?: string[]; thumbnail_url: string };

async function list(type: string, more = ''): Promise<Record<string, Raw>> {
  return (await (await fetch(`${fake.url}/assets?type=${type}${more}`)).json()) as Record<string, Raw>;
}

async function behave(change: Partial<Behavior>) {
  return fetch(`${fake.url}/control`, { method: 'PUT', body: JSON.stringify(change) });
}

test('the fake library has the size of the real one, and is the same every time', async () => {
  expect(makeLibrary()).toEqual(makeLibrary());
  expect(Object.keys(await list('textures')).length).toBeGreaterThanOrEqual(860);
  expect(Object.keys(await list('hdris')).length).toBeGreaterThanOrEqual(600);
  expect(Object.keys(await list('models')).length).toBeGreaterThanOrEqual(900);
});

test('the fake library has the quirks of the real one', async () => {
  const textures = await list('textures');
  const all = Object.values(textures);
  const has = (isOdd: (raw: Raw) => boolean) => all.filter(isOdd).length;
  expect(has(({ tags }) => tags.some((tag) => tag !== tag.trim()))).toBeGreaterThan(10);
  expect(has(({ tags }) => new Set(tags).size < tags.length)).toBeGreaterThan(5);
  expect(
    has(({ categories }) => categories?.some((name) => name.startsWith('collection:')) ?? false),
  ).toBeGreaterThan(5);
  expect(has(({ categories }) => categories === undefined)).toBeGreaterThan(2);
  expect(has(({ info }) => info === null)).toBeGreaterThan(100);
  expect(has(({ dimensions }) => !Number.isInteger((dimensions as number[])[0]))).toBeGreaterThan(300);
  expect(has((raw) => 'similarity' in raw || 'social_post_pending' in raw)).toBeGreaterThan(3);
  expect(has(({ name }) => name === '')).toBeGreaterThan(0);
  expect(Object.keys(await list('models'))[0]).toMatch(/^[A-Z]/);
  const scheduled = Object.keys(await list('textures', '&future=1')).filter((id) => !(id in textures));
  expect(scheduled.length).toBeGreaterThan(0);
  expect((await fetch(`${fake.url}/info/${scheduled[0]}`)).status).toBe(200);
});

test('the fake library returns errors as HTML, and 304 to a client that has the list', async () => {
  const wrong = await fetch(`${fake.url}/assets?type=nothing`);
  expect([wrong.status, wrong.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  expect((await fetch(`${fake.url}/files/a%20b`)).status).toBe(400);
  expect((await fetch(`${fake.url}/files/nothing`)).status).toBe(404);
  const etag = (await fetch(`${fake.url}/assets?type=models`)).headers.get('etag') ?? '';
  const again = await fetch(`${fake.url}/assets?type=models`, { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
  await behave({ revision: 1 });
  expect((await fetch(`${fake.url}/assets?type=models`, { headers: { 'if-none-match': etag } })).status).toBe(
    200,
  );
});

test.each(['textures', 'hdris', 'models'])(
  'every listed image and file of %s can be downloaded',
  { tags: ['extended'] },
  async (type) => {
    const [id, raw] = Object.entries(await list(type))[41] ?? [];
    const thumbnail = await fetch(raw?.thumbnail_url ?? '');
    const { width, format } = await sharp(Buffer.from(await thumbnail.arrayBuffer())).metadata();
    expect({ width, format }).toEqual({ width: 256, format: 'webp' });
    const tree = await (await fetch(`${fake.url}/files/${id}`)).text();
    const urls = [...new Set(tree.match(/http:\/\/127[^"]+/g))];
    expect(urls.length).toBeGreaterThan(10);
    for (const url of urls.filter((one) => /[_/]1k[_/.]|jpg$|zip$/.test(one)).slice(0, 25)) {
      const response = await fetch(url);
      expect(response.status, url).toBe(200);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes.length).toBeGreaterThan(10);
      if (/\.(jpg|png)$/.test(url)) expect((await sharp(bytes).metadata()).width, url).toBe(512);
      if (url.endsWith('.hdr')) expect(bytes.toString('latin1')).toMatch(/^#\?RADIANCE\n/);
    }
  },
);

test('a mode can be limited to some requests, and to the first few of them', async () => {
  await behave({ mode: 'error', on: ['files'], times: 1 });
  expect((await fetch(`${fake.url}/assets?type=models`)).status).toBe(200);
  expect((await fetch(`${fake.url}/files/ArmChair_01`)).status).toBe(500);
  expect((await fetch(`${fake.url}/files/ArmChair_01`)).status).toBe(200);
  await behave({ mode: 'error', match: 'ArmChair' });
  expect((await fetch(`${fake.url}/files/ArmChair_01`)).status).toBe(500);
  expect((await fetch(`${fake.url}/assets?type=models`)).status).toBe(200);
  expect((await behave({ mode: 'nonsense' as 'ok' })).status).toBe(400);
});

test.each([
  ['limit', null],
  ['limit-seconds', /^7$/],
  ['limit-date', /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/],
] as const)('the mode %s has its own Retry-After', async (mode, form) => {
  await behave({ mode });
  const response = await fetch(`${fake.url}/assets?type=models`);
  expect(response.status).toBe(429);
  const value = response.headers.get('retry-after');
  if (form) expect(value).toMatch(form);
  else expect(value).toBeNull();
});

test('the handlers of the fake library also work in process', async () => {
  const server = setupServer(
    ...createMatlibHandlers({ mode: 'ok' }, 'https://library.test'),
    http.all('*', () => HttpResponse.error()),
  );
  server.listen();
  try {
    const response = await fetch('https://library.test/assets?type=hdris');
    const [first] = Object.values((await response.json()) as Record<string, Raw>);
    expect(first?.thumbnail_url).toMatch(/^https:\/\/library\.test\/asset_img\/thumbs\//);
  } finally {
    server.close();
  }
});
