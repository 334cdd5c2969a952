import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { getFiles } from '@/lib/matlib/get-files';
import { getInfo } from '@/lib/matlib/get-info';
import { listCategories } from '@/lib/matlib/list-categories';
import {
  categoriesQuery,
  categoriesResponse,
  filesQuery,
  filesResponse,
  infoResponse,
  searchResponse,
} from '@/lib/matlib/schema';
import { makeLibrary, SCHEDULED_AT } from '@/tests/fakes/matlib/make-library';
import {
  eventually,
  type Fixture,
  SHARE,
  search,
  startFixture,
} from '@/tests/matlib/support/library-fixture';
import { DAY, HOUR, MINUTE } from '@/tests/matlib/support/test-clock';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterEach(() => fixture.reset());
afterAll(() => fixture.stop());

const usual = filesQuery.parse({});
const made = makeLibrary(SHARE);
const scheduled =
  [...made.textures.values()].find(({ raw }) => raw.date_published === SCHEDULED_AT)?.id ?? '';
const someTexture = [...made.textures.keys()][100] ?? '';
const notFound = { code: 'not_found', status: 404 };

test('every response for the generated library has the documented shape', async () => {
  const whole = await startFixture(1);
  const library = await whole.library();
  const least = { textures: 860, hdris: 600, models: 900 };
  for (const [type, count] of Object.entries(least)) {
    const all = [];
    for (let offset = 0; offset < 1_000; offset += 100) {
      const page = await search(library, { type, limit: '100', offset: String(offset), facets: '1' });
      searchResponse.parse(page);
      expect(page.total).toBeGreaterThanOrEqual(count);
      all.push(...page.results);
    }
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(JSON.stringify(all)).not.toMatch(/similarity|social_post|collection:|vault:| {2}"/);
    for (const { id } of all.filter((_, i) => i % 90 === 0)) {
      infoResponse.parse((await getInfo(library, id)).value);
      filesResponse.parse((await getFiles(library, id, usual)).value);
      const files = JSON.stringify(
        (await getFiles(library, id, filesQuery.parse({ resolutions: 'all' }))).value,
      );
      expect(files).not.toMatch(/example\.test|\.\.\//);
    }
  }
  expect((await whole.seen()).counts).toMatchObject({ list: 3, info: 0 });
  await whole.stop();
});

test('an asset that is not published yet is not returned, although the library would return it', async () => {
  const direct = await fetch(`${fixture.fake.url}/files/${scheduled}`);
  expect(direct.status).toBe(200);
  const library = await fixture.library();
  await expect(getInfo(library, scheduled)).rejects.toMatchObject(notFound);
  await expect(getFiles(library, scheduled, usual)).rejects.toMatchObject(notFound);
  const { results } = await search(library, { q: scheduled.replaceAll('_', ' ') });
  expect(results.map(({ id }) => id)).not.toContain(scheduled);
});

test.each(['constructor', '__proto__', 'toString', 'no_such_thing', someTexture.toUpperCase()])(
  'the id %s is not found, without an upstream call of its own',
  async (id) => {
    const library = await fixture.library();
    await expect(getInfo(library, id)).rejects.toMatchObject(notFound);
    await expect(getFiles(library, id, usual)).rejects.toMatchObject(notFound);
    expect((await fixture.seen()).counts).toMatchObject({ files: 0, info: 0, list: 3 });
  },
);

test('an id with capitals is found only in the same case', async () => {
  const library = await fixture.library();
  const id = [...made.models.keys()].find((each) => each !== each.toLowerCase()) ?? '';
  expect((await getInfo(library, id)).value).toMatchObject({ id, type: 'models' });
  await expect(getInfo(library, id.toLowerCase())).rejects.toMatchObject(notFound);
});

test('an unknown id triggers a fetch of the list, at most every five minutes', async () => {
  const library = await fixture.library();
  await expect(getInfo(library, scheduled)).rejects.toMatchObject(notFound);
  await fixture.behave({ published: [scheduled] });
  await expect(getInfo(library, scheduled)).rejects.toMatchObject(notFound);
  expect((await fixture.seen()).counts.list).toBe(3);
  fixture.clock.advance(5 * MINUTE + 1);
  await expect(getInfo(library, scheduled)).rejects.toMatchObject(notFound);
  await eventually(async () => expect((await getInfo(library, scheduled)).value.id).toBe(scheduled));
  expect((await fixture.seen()).counts.list).toBe(6);
});

test('files are fetched once, cached for a day, and returned stale while the library is unavailable', async () => {
  const library = await fixture.library();
  const many = await Promise.all(Array.from({ length: 50 }, () => getFiles(library, someTexture, usual)));
  expect(new Set(many.map(({ value }) => value)).size).toBe(1);
  expect((await fixture.seen()).counts.files).toBe(1);
  expect(many[0]?.headers).toEqual({
    'cache-control': 'private, max-age=3600, stale-while-revalidate=86400',
    'cache-status': 'matlib; fwd=miss; stored',
  });
  await fixture.behave({ mode: 'down' });
  fixture.clock.advance(3 * DAY);
  const old = await getFiles(library, someTexture, usual);
  expect(old.value).toMatchObject({ stale: true, maps: many[0]?.value.maps });
  expect(old.headers['cache-control']).toBe('private, max-age=10');
});

test('files that do not exist yet get a 404, which is cached for five minutes', async () => {
  const library = await fixture.library();
  await search(library);
  await fixture.behave({ hidden: [someTexture] });
  await expect(getFiles(library, someTexture, usual)).rejects.toMatchObject(notFound);
  await fixture.behave({ hidden: [] });
  await expect(getFiles(library, someTexture, usual)).rejects.toMatchObject(notFound);
  expect((await fixture.seen()).counts.files).toBe(1);
  fixture.clock.advance(5 * MINUTE + 1);
  expect((await getFiles(library, someTexture, usual)).value.id).toBe(someTexture);
});

test.each([
  ['error', 30],
  ['unavailable', 30],
  ['garbage', 30],
  ['html', 30],
  ['truncated', 30],
  ['redirect', 30],
  ['down', 30],
  ['stall', 30],
  ['slow', 30],
  ['limit', 30],
  ['limit-seconds', 7],
  ['limit-date', 7],
] as const)(
  'uncached files in the mode %s get a 503 with Retry-After and a message that names no host',
  async (mode, most) => {
    const library = await fixture.library({ filesDeadlineMs: 300 });
    await search(library);
    await fixture.behave({ mode, on: ['files'] });
    const error: unknown = await getFiles(library, someTexture, usual).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'unavailable', status: 503 });
    expect((error as Error).message).not.toMatch(/upstream|127\.0\.0\.1|node|status|429|50\d|haven/i);
    const { retryAfter } = (error as { extra: { retryAfter?: number } }).extra;
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(most);
  },
);

test('Retry-After counts down during the back-off for the files of a material', async () => {
  const library = await fixture.library();
  await search(library);
  await fixture.behave({ mode: 'error', on: ['files'] });
  const retryAfter = async () => {
    const error: unknown = await getFiles(library, someTexture, usual).catch((reason: unknown) => reason);
    return (error as { extra: { retryAfter?: number } }).extra.retryAfter;
  };
  expect(await retryAfter()).toBe(30);
  fixture.clock.advance(12_000);
  expect(await retryAfter()).toBe(18);
  fixture.clock.advance(17_500);
  expect(await retryAfter()).toBe(1);
  expect((await fixture.seen()).counts.files).toBe(1);
});

test('files that were cached before a restart are returned while the library is unavailable', async () => {
  const dataDir = await fixture.dataDir();
  const before = await getFiles(await fixture.library({ dataDir }), someTexture, usual);
  await fixture.behave({ mode: 'down' });
  const again = await fixture.library({ dataDir });
  expect((await getFiles(again, someTexture, usual)).value).toEqual(before.value);
  fixture.clock.advance(5 * DAY);
  const old = await getFiles(await fixture.library({ dataDir }), someTexture, usual);
  expect(old.value).toMatchObject({ stale: true, maps: before.value.maps });
  // Allowing one more host does not change the cached files.
  const elsewhere = await fixture.library({ dataDir, assetHosts: `${fixture.fake.host},cdn.example.test` });
  expect((await getFiles(elsewhere, someTexture, usual)).value.maps).toEqual(before.value.maps);
});

test('a cached file tree that is broken or of another version is ignored', async () => {
  const dataDir = await fixture.dataDir();
  await getFiles(await fixture.library({ dataDir }), someTexture, usual);
  const file = join(dataDir, 'matlib', 'files', `${someTexture}.json`);
  const good = await readFile(file, 'utf8');
  for (const text of [good.slice(0, 500), good.replace(/"filesHash":"/, '"filesHash":"x'), '{}']) {
    await writeFile(file, text);
    const requestCount = (await fixture.seen()).counts.files;
    await getFiles(await fixture.library({ dataDir }), someTexture, usual);
    expect((await fixture.seen()).counts.files).toBe(requestCount + 1);
  }
});

test('search, categories and info keep working while files fail', async () => {
  const library = await fixture.library();
  await search(library);
  await fixture.behave({ mode: 'down' });
  await expect(getFiles(library, someTexture, usual)).rejects.toMatchObject({ status: 503 });
  expect((await getInfo(library, someTexture)).value.id).toBe(someTexture);
  expect((await search(library)).stale).toBeUndefined();
});

test('categories come with their counts, the largest first, and depend on the selection', async () => {
  const library = await fixture.library();
  const { value } = await listCategories(library, categoriesQuery.parse({}));
  categoriesResponse.parse(value);
  const counts = value.categories.map((name) => value.counts[name] ?? 0);
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  expect(value.categories).toContain('wood');
  expect(value.categories.join()).not.toMatch(/collection|vault/);
  const inWood = await listCategories(library, categoriesQuery.parse({ in: 'Wood' }));
  expect(inWood.value.total).toBe(value.counts.wood);
  expect(inWood.value.categories).not.toContain('wood');
  expect((await listCategories(library, categoriesQuery.parse({ in: 'no such' }))).value).toMatchObject({
    categories: [],
    total: 0,
  });
  fixture.clock.advance(HOUR - MINUTE);
  const hit = await listCategories(library, categoriesQuery.parse({}));
  expect(hit.headers['cache-status']).toMatch(/^matlib; hit; ttl=\d+$/);
});
